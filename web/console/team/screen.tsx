import type { ApiKey } from '@parlance/client';
import { useState } from 'preact/hooks';
import { ConfirmButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Copyable } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { USERS } from '../records/kinds.ts';
import { RecordList, RecordPage } from '../records/records.tsx';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
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
              {user.id === session.user ? null : <PasswordLink user={user.id} />}
              <ApiKeys user={user.id} role={String(user['role'])} />
              {user.id === session.user ? null : <UserOtpReset user={user.id} />}
            </>
          )}
        </RecordPage>
      )}
    </div>
  );
}

/** See spec 3.9. */
function PasswordLink({ user }: { user: string }) {
  const [url, setUrl] = useState<string>();
  const create = async () => {
    setUrl((await client.call('POST /users/{id}/password-link', { path: { id: user } })).url);
  };
  return (
    <section aria-label={TEXTS.team.link}>
      <h2>{TEXTS.team.link}</h2>
      <p>{TEXTS.team.linkWhat}</p>
      <ActionForm look="plain" word={TEXTS.team.createLink} submit={create}>
        {url === undefined ? null : <Copyable label={TEXTS.team.link} text={url} />}
      </ActionForm>
    </section>
  );
}

const DAY_MS = 24 * 60 * 60_000;

/** The token of a new key is shown only once (spec 3.6). */
function ApiKeys({ user, role }: { user: string; role: string }) {
  const path = { id: user };
  const { value, error, again } = useQuery('GET /users/{id}/apikeys', { path });
  const [token, setToken] = useState<string>();
  const { values, bind, setValues } = useFields({ name: '', days: '' });
  const create = async () => {
    const scope = (role === 'viewer' ? 'guest' : role) as ApiKey['scopes'][number];
    const { name, days } = values;
    const end = days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    const body = { name, scopes: [scope], ...end };
    setToken((await client.call('POST /users/{id}/apikeys', { path, body })).token);
    setValues({ name: '', days: '' });
    again();
  };
  return (
    <section aria-label={TEXTS.team.keys}>
      <h2>{TEXTS.team.keys}</h2>
      <ActionForm look="inline" field="name" word={TEXTS.team.createKey} submit={create}>
        <TextField label={TEXTS.team.keyName} required {...bind('name')} />
        <SelectField label={TEXTS.team.keyEnds} options={TEXTS.team.keyEnd} {...bind('days', 'expiresAt')} />
      </ActionForm>
      {token ? (
        <div class="once" role="status">
          <p>{TEXTS.team.shownOnce}</p>
          <Copyable label={TEXTS.team.newKey} text={token} />
        </div>
      ) : null}
      <Problem error={error} again={again} />
      {value ? <Keys keys={value} revoked={again} /> : error ? null : <Loading />}
    </section>
  );
}

function Keys({ keys, revoked }: { keys: readonly ApiKey[]; revoked: () => void }) {
  if (keys.length === 0) return <Empty>{TEXTS.team.noKeys}</Empty>;
  return (
    <ul class="keys-list">
      {keys.map(({ id: key, user, name, createdAt, expiresAt, lastUsedAt }) => (
        <li key={key}>
          <strong>{name}</strong> <Time at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {TEXTS.team.lastUsed} <Time at={lastUsedAt} />
            </>
          ) : (
            TEXTS.team.neverUsed
          )}
          {expiresAt === undefined ? null : (
            <>
              {' '}
              · {TEXTS.team.keyEnded(new Date(expiresAt) <= new Date())} <Time at={expiresAt} />
            </>
          )}{' '}
          <ConfirmButton
            word={TEXTS.team.revoke}
            title={TEXTS.team.revokeTitle(name)}
            class="quiet"
            act={() =>
              client.call('DELETE /users/{id}/apikeys/{key}', { path: { id: user, key } }).then(revoked)
            }
          >
            <p>{TEXTS.team.revokeWhat}</p>
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}

/** Resets one-time passwords for a user who lost the device (spec 3.8). */
function UserOtpReset({ user }: { user: string }) {
  const [isDone, setDone] = useState(false);
  return (
    <section>
      <h2>{TEXTS.team.otp}</h2>
      <ConfirmButton
        word={TEXTS.team.removeOtp}
        act={() => client.call('DELETE /users/{id}/otp', { path: { id: user } }).then(() => setDone(true))}
      >
        <p>{TEXTS.team.removeOtpWhat}</p>
      </ConfirmButton>
      {isDone ? <p role="status">{TEXTS.team.otpRemoved}</p> : null}
    </section>
  );
}
