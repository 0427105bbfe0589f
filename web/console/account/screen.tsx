import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { Loading, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import type { ComponentChildren } from 'preact';
import { Copyable } from '../parts/tabs.tsx';

interface Me {
  id: string;
  name: string;
  email: string;
  role: string;
  status: 'online' | 'away' | 'offline';
}

export function AccountScreen() {
  const { value: me, error, again, replace } = useQuery<Me>('/users/me');
  const action = useAction();
  if (!me) return error ? <Problem error={error} again={again} /> : <Loading />;
  const setStatus = (status: string) =>
    void action.run(async () => replace((await api<Me>('PATCH', '/users/me', { body: { status } })).body));
  return (
    <div class="page">
      <section>
        <h1>{me.name}</h1>
        <p>
          {me.email} · {me.role}
        </p>
        <SelectField
          label={TEXTS.status}
          value={me.status}
          set={setStatus}
          options={['online', 'away', 'offline'].map((value) => ({ value, text: value }))}
        />
        <Problem error={action.error} />
        <Password />
        <Otp />
      </section>
    </div>
  );
}

function Password() {
  const [currentPassword, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const action = useAction();
  const save = async () => {
    setDone(await action.run(() => api('PATCH', '/users/me', { body: { password, currentPassword } })));
    setCurrent('');
    setPassword('');
  };
  return (
    <Form error={action.error} submit={save}>
      <h2>{TEXTS.account.password}</h2>
      <TextField
        label={TEXTS.account.current}
        path="currentPassword"
        type="password"
        autocomplete="current-password"
        required
        value={currentPassword}
        set={setCurrent}
      />
      <TextField
        label={TEXTS.account.next}
        path="password"
        type="password"
        autocomplete="new-password"
        required
        hint={TEXTS.kinds.passwordHint}
        value={password}
        set={setPassword}
      />
      <FormProblem />
      {isDone ? <p role="status">{TEXTS.saved}</p> : null}
      <button type="submit" disabled={action.isRunning}>
        {TEXTS.account.change}
      </button>
    </Form>
  );
}

interface Proposal {
  secret: string;
  url: string;
}

/**
 * Adds or removes one-time passwords (spec 3.8). The first code proves that the app has the secret.
 */
function Otp() {
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
  field: string;
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
