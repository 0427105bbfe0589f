import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { Loading, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-asked.ts';
import { Otp } from './otp.tsx';

interface Me {
  id: string;
  name: string;
  email: string;
  role: string;
  status: 'online' | 'away' | 'offline';
}

/** One's own account: whether one is there, the password, and one-time passwords. */
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
