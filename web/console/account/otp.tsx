import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Copyable } from '../parts/copy.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';

interface Proposal {
  secret: string;
  url: string;
}

/**
 * From a password to a second factor: the secret goes into an app, and its first number proves that
 * it is there (spec 3.8).
 */
export function Otp() {
  const [proposal, setProposal] = useState<Proposal>();
  const [done, setDone] = useState('');
  const ended = (words: string) => {
    setProposal(undefined);
    setDone(words);
  };
  return (
    <section>
      <h2>{TEXTS.team.otp}</h2>
      {done === '' ? null : <p role="status">{done}</p>}
      {proposal ? (
        <Confirmation proposal={proposal} done={() => ended(TEXTS.account.otpOn)} />
      ) : (
        <>
          <Request proposed={setProposal} />
          <Removal done={() => ended(TEXTS.account.otpOff)} />
        </>
      )}
    </section>
  );
}

interface StepProps {
  done: () => void;
}

function Request({ proposed }: { proposed: (proposal: Proposal) => void }) {
  const [currentPassword, setCurrent] = useState('');
  const ask = async () => {
    proposed((await api<Proposal>('POST', '/users/me/otp', { body: { currentPassword } })).body);
  };
  return (
    <Step word={TEXTS.account.otpBegin} field="currentPassword" submit={ask}>
      <TextField
        label={TEXTS.account.current}
        path="currentPassword"
        type="password"
        autocomplete="current-password"
        required
        value={currentPassword}
        set={setCurrent}
      />
    </Step>
  );
}

function Confirmation({ proposal, done }: StepProps & { proposal: Proposal }) {
  return (
    <>
      <p>{TEXTS.account.otpScan}</p>
      <Copyable label={TEXTS.account.otpSecret} text={proposal.secret} />
      <p>
        <a href={proposal.url}>{TEXTS.account.otpApp}</a>
      </p>
      <WithNumber word={TEXTS.account.confirm} method="PUT" done={done} />
    </>
  );
}

function Removal({ done }: StepProps) {
  return <WithNumber word={TEXTS.account.otpRemove} method="DELETE" done={done} />;
}

function WithNumber({ word, method, done }: StepProps & { word: string; method: 'PUT' | 'DELETE' }) {
  const [otp, setOtp] = useState('');
  const send = () => api(method, '/users/me/otp', { body: { otp: otp.trim() } }).then(done);
  return (
    <Step word={word} field="otp" submit={send}>
      <TextField
        label={TEXTS.otp}
        path="otp"
        required
        autocomplete="one-time-code"
        value={otp}
        set={setOtp}
      />
    </Step>
  );
}

interface StepFormProps {
  word: string;
  /** The path of its field. */
  field: string;
  /** Throws Refused. */
  submit: () => Promise<unknown>;
  children: ComponentChildren;
}

function Step({ word, field, submit, children }: StepFormProps) {
  const action = useAction();
  return (
    <Form class="inline" error={action.error} field={field} submit={() => action.run(submit)}>
      {children}
      <button type="submit">{word}</button>
      <FormProblem />
    </Form>
  );
}
