import type { ScreenProps } from '../route.ts';
import { USERS } from '../records/kinds.ts';
import { RecordList, RecordPage } from '../records/records.tsx';
import { useState } from 'preact/hooks';
import { Copyable } from '../parts/tabs.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

const WITHIN = ['team'];

export function TeamScreen({ place: [id], session }: ScreenProps) {
  return (
    <div class="page">
      {id === undefined ? (
        <RecordList kind={USERS} within={WITHIN} />
      ) : (
        <RecordPage key={id} kind={USERS} within={WITHIN} id={id}>
          {(user) => (
            <>
              <ApiKeys user={user.id} role={String(user['role'])} />
              {user.id === session.user ? null : <UserOtpReset user={user.id} />}
            </>
          )}
        </RecordPage>
      )}
    </div>
  );
}

interface ApiKey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt?: string;
  /** Set only in the response that creates the key. */
  token?: string;
}

/**
 * Lists and creates the API keys of a user. The token of a key is shown only after its creation
 * (spec 3.6).
 */
function ApiKeys({ user, role }: { user: string; role: string }) {
  const { value, error, again } = useQuery<ApiKey[]>(`/users/${user}/apikeys`);
  const [made, setMade] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<ApiKey>();
  return (
    <section aria-label={TEXTS.team.keys}>
      <h2>{TEXTS.team.keys}</h2>
      <NewKey
        user={user}
        role={role}
        done={(key) => {
          setMade(key);
          again();
        }}
      />
      {made?.token ? (
        <div class="once" role="status">
          <p>{TEXTS.team.shownOnce}</p>
          <Copyable label={TEXTS.team.newKey} text={made.token} />
        </div>
      ) : null}
      <Problem error={error} again={again} />
      {value ? <Keys keys={value} revoke={setRevoked} /> : error ? null : <Loading />}
      {revoked ? (
        <Confirm
          title={TEXTS.team.revokeTitle(revoked.name)}
          word={TEXTS.team.revoke}
          act={() => api('DELETE', `/users/${user}/apikeys/${revoked.id}`).then(again)}
          close={() => setRevoked(undefined)}
        >
          <p>{TEXTS.team.revokeWhat}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

function Keys({ keys, revoke }: { keys: readonly ApiKey[]; revoke: (key: ApiKey) => void }) {
  if (keys.length === 0) return <Empty>{TEXTS.team.noKeys}</Empty>;
  return (
    <ul class="keys-list">
      {keys.map((key) => (
        <li key={key.id}>
          <strong>{key.name}</strong> <Time at={key.createdAt} /> ·{' '}
          {key.lastUsedAt ? (
            <>
              {TEXTS.team.lastUsed} <Time at={key.lastUsedAt} />
            </>
          ) : (
            TEXTS.team.neverUsed
          )}{' '}
          <button type="button" class="quiet" onClick={() => revoke(key)}>
            {TEXTS.team.revoke}
          </button>
        </li>
      ))}
    </ul>
  );
}

function NewKey({ user, role, done }: { user: string; role: string; done: (key: ApiKey) => void }) {
  const [name, setName] = useState('');
  const action = useAction();
  const create = () =>
    action.run(async () => {
      const scopes = [role === 'viewer' ? 'guest' : role];
      done((await api<ApiKey>('POST', `/users/${user}/apikeys`, { body: { name, scopes } })).body);
      setName('');
    });
  return (
    <Form class="inline" error={action.error} submit={create} field="name">
      <TextField label={TEXTS.team.keyName} path="name" required value={name} set={setName} />
      <button type="submit" disabled={action.isRunning}>
        {TEXTS.team.createKey}
      </button>
      <FormProblem />
    </Form>
  );
}

/** Removes the one-time passwords of a user who lost them (spec 3.8). */
function UserOtpReset({ user }: { user: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <section>
      <h2>{TEXTS.team.otp}</h2>
      <button type="button" onClick={() => setOpen(true)}>
        {TEXTS.team.removeOtp}
      </button>
      {isDone ? <p role="status">{TEXTS.team.otpRemoved}</p> : null}
      {isOpen ? (
        <Confirm
          title={TEXTS.team.removeOtp}
          word={TEXTS.team.removeOtp}
          act={() => api('DELETE', `/users/${user}/otp`).then(() => setDone(true))}
          close={() => setOpen(false)}
        >
          <p>{TEXTS.team.removeOtpWhat}</p>
        </Confirm>
      ) : null}
    </section>
  );
}
