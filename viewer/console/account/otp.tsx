import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Copyable } from '../parts/copy.tsx';
import { TextField } from '../parts/fields.tsx';
import { Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import type { ActionState } from '../use-action.ts';

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
  const action = useAction();
  const ended = (words: string) => {
    setProposal(undefined);
    setDone(words);
  };
  return (
    <section>
      <h2>{TEXTS.team.otp}</h2>
      <Problem error={action.error} />
      {done === '' ? null : <p role="status">{done}</p>}
      {proposal ? (
        <Confirmation proposal={proposal} action={action} done={() => ended(TEXTS.account.otpOn)} />
      ) : (
        <>
          <Request action={action} proposed={setProposal} />
          <Removal action={action} done={() => ended(TEXTS.account.otpOff)} />
        </>
      )}
    </section>
  );
}

interface StepProps {
  action: ActionState;
  done: () => void;
}

function Request({ action, proposed }: { action: ActionState; proposed: (proposal: Proposal) => void }) {
  const [currentPassword, setCurrent] = useState('');
  const ask = () =>
    action.run(async () => {
      proposed((await api<Proposal>('POST', '/users/me/otp', { body: { currentPassword } })).body);
    });
  return (
    <Step word={TEXTS.account.otpBegin} submit={ask}>
      <TextField
        label={TEXTS.account.current}
        type="password"
        autocomplete="current-password"
        required
        value={currentPassword}
        set={setCurrent}
      />
    </Step>
  );
}

function Confirmation({ proposal, action, done }: StepProps & { proposal: Proposal }) {
  return (
    <>
      <p>{TEXTS.account.otpScan}</p>
      <Copyable label={TEXTS.account.otpSecret} text={proposal.secret} />
      <p>
        <a href={proposal.url}>{TEXTS.account.otpApp}</a>
      </p>
      <WithNumber word={TEXTS.account.confirm} method="PUT" action={action} done={done} />
    </>
  );
}

function Removal({ action, done }: StepProps) {
  return <WithNumber word={TEXTS.account.otpRemove} method="DELETE" action={action} done={done} />;
}

function WithNumber({ word, method, action, done }: StepProps & { word: string; method: 'PUT' | 'DELETE' }) {
  const [otp, setOtp] = useState('');
  const send = () => action.run(() => api(method, '/users/me/otp', { body: { otp: otp.trim() } }).then(done));
  return (
    <Step word={word} submit={send}>
      <TextField label={TEXTS.otp} required autocomplete="one-time-code" value={otp} set={setOtp} />
    </Step>
  );
}

interface StepFormProps {
  word: string;
  submit: () => Promise<unknown>;
  children: ComponentChildren;
}

function Step({ word, submit, children }: StepFormProps) {
  const send = (event: Event) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form class="inline" onSubmit={send}>
      {children}
      <button type="submit">{word}</button>
    </form>
  );
}
