import type { AnswerTo, ApiKey } from '@parlance/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ConfirmButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Copyable } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { USERS } from '../records/kinds.ts';
import type { StoredRecord } from '../records/kinds.ts';
import { RecordList, RecordPage } from '../records/records.tsx';
import { useRouteQuery } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import { TEAM_WORDS } from './texts.ts';
import { useQuery } from '../use-query.ts';

const WITHIN = ['team'];

type PasswordLinkResult = AnswerTo<'POST /users/{id}/password-link'>;

/** The invitation of a new person, or the key of a new bot. */
interface Welcome {
  user: string;
  link?: PasswordLinkResult | undefined;
  token?: string | undefined;
}

export function TeamScreen({ place: [id], session }: ScreenProps) {
  const [welcome, setWelcome] = useState<Welcome>();
  const created = async (user: StoredRecord) => setWelcome(await welcomeUser(user));
  const fresh = welcome?.user === id ? welcome : undefined;
  const { new: role, organization = '' } = useRouteQuery();
  return (
    <div class="page">
      {id === undefined ? (
        <RecordList
          kind={USERS}
          within={WITHIN}
          created={created}
          initial={role === undefined ? undefined : { role, organization }}
        />
      ) : (
        <RecordPage key={id} kind={USERS} within={WITHIN} id={id}>
          {(user) => (
            <>
              {user.id === session.user ? null : <PasswordLink user={user.id} first={fresh?.link} />}
              <ApiKeys user={user.id} role={String(user['role'])} first={fresh?.token} />
              {user.id === session.user ? null : <UserOtpReset user={user.id} />}
            </>
          )}
        </RecordPage>
      )}
    </div>
  );
}

/** A failure leaves the buttons of the user's page. */
async function welcomeUser({ id, role, email }: StoredRecord): Promise<Welcome> {
  try {
    if (role === 'bot')
      return { user: id, token: await createKey(id, { name: TEAM_WORDS.firstKey, scope: 'bot' }) };
    const isReachable = !String(email).endsWith('@parlance.local');
    return { user: id, link: isReachable ? await requestLink(id, true) : undefined };
  } catch {
    return { user: id };
  }
}

function requestLink(id: string, mail: boolean): Promise<PasswordLinkResult> {
  return client.call('POST /users/{id}/password-link', { path: { id }, body: { mail } });
}

/** See spec 3.9 and 3.10. */
function PasswordLink({ user, first }: { user: string; first: PasswordLinkResult | undefined }) {
  const [link, setLink] = useState(first);
  const section = useShown(first !== undefined);
  const words = TEAM_WORDS;
  const request = (mail: boolean) => async () => setLink(await requestLink(user, mail));
  return (
    <section aria-label={words.link} ref={section}>
      <h2>{words.link}</h2>
      <p>{words.linkWhat}</p>
      {link ? <LinkResult {...link} /> : null}
      <div class="actions">
        <ActionForm look="plain" word={link?.mail ? words.mailAgain : words.mailLink} submit={request(true)}>
          {null}
        </ActionForm>
        <ActionForm look="plain" word={words.createLink} submit={request(false)}>
          {null}
        </ActionForm>
      </div>
    </section>
  );
}

/** Scrolls to the section whose content a new user got at once. */
function useShown(isWanted: boolean) {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isWanted) section.current?.scrollIntoView({ block: 'center' });
  }, []);
  return section;
}

function LinkResult({ url, mail }: PasswordLinkResult) {
  return (
    <>
      {mail ? <p role="status">{describeMail(mail)}</p> : null}
      {url === undefined ? null : <Copyable label={TEAM_WORDS.link} text={url} />}
    </>
  );
}

function describeMail({ status, to, reason = '' }: NonNullable<PasswordLinkResult['mail']>): string {
  const words = TEAM_WORDS;
  if (status === 'sent') return words.mailed(to);
  if (status === 'waiting') return words.mailWaiting(to);
  return status === 'failed' ? words.mailFailed(to, reason) : words.noMail;
}

const DAY_MS = 24 * 60 * 60_000;

/** The token of a new key is shown only once (spec 3.6). */
interface ApiKeysProps {
  user: string;
  role: string;
  first: string | undefined;
}

type KeyScope = ApiKey['scopes'][number];

async function createKey(
  id: string,
  { name, scope, expiresAt }: { name: string; scope: KeyScope; expiresAt?: string },
): Promise<string | undefined> {
  const body = { name, scopes: [scope], ...(expiresAt === undefined ? {} : { expiresAt }) };
  return (await client.call('POST /users/{id}/apikeys', { path: { id }, body })).token;
}

function ApiKeys({ user, role, first }: ApiKeysProps) {
  const path = { id: user };
  const { value, error, again } = useQuery('GET /users/{id}/apikeys', { path });
  const [token, setToken] = useState(first);
  const section = useShown(first !== undefined);
  const { values, bind, setValues } = useFields({ name: '', days: '' });
  const create = async () => {
    const scope = (role === 'viewer' ? 'guest' : role) as KeyScope;
    const { name, days } = values;
    const end = days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    setToken(await createKey(user, { name, scope, ...end }));
    setValues({ name: '', days: '' });
    again();
  };
  return (
    <section aria-label={TEAM_WORDS.keys} ref={section}>
      <h2>{TEAM_WORDS.keys}</h2>
      <ActionForm look="inline" field="name" word={TEAM_WORDS.createKey} submit={create}>
        <TextField label={TEAM_WORDS.keyName} required {...bind('name')} />
        <SelectField label={TEAM_WORDS.keyEnds} options={TEAM_WORDS.keyEnd} {...bind('days', 'expiresAt')} />
      </ActionForm>
      {token ? (
        <div class="once" role="status">
          <p>{TEAM_WORDS.shownOnce}</p>
          <Copyable label={TEAM_WORDS.newKey} text={token} />
        </div>
      ) : null}
      <Problem error={error} again={again} />
      {value ? <Keys keys={value} revoked={again} /> : error ? null : <Loading />}
    </section>
  );
}

function Keys({ keys, revoked }: { keys: readonly ApiKey[]; revoked: () => void }) {
  if (keys.length === 0) return <Empty>{TEAM_WORDS.noKeys}</Empty>;
  return (
    <ul class="keys-list">
      {keys.map(({ id: key, user, name, createdAt, expiresAt, lastUsedAt }) => (
        <li key={key}>
          <strong>{name}</strong> <Time at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {TEAM_WORDS.lastUsed} <Time at={lastUsedAt} />
            </>
          ) : (
            TEAM_WORDS.neverUsed
          )}
          {expiresAt === undefined ? null : (
            <>
              {' '}
              · {TEAM_WORDS.keyEnded(new Date(expiresAt) <= new Date())} <Time at={expiresAt} />
            </>
          )}{' '}
          <ConfirmButton
            word={TEAM_WORDS.revoke}
            title={TEAM_WORDS.revokeTitle(name)}
            class="quiet"
            act={() =>
              client.call('DELETE /users/{id}/apikeys/{key}', { path: { id: user, key } }).then(revoked)
            }
          >
            <p>{TEAM_WORDS.revokeWhat}</p>
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
      <h2>{TEAM_WORDS.otp}</h2>
      <ConfirmButton
        word={TEAM_WORDS.removeOtp}
        act={() => client.call('DELETE /users/{id}/otp', { path: { id: user } }).then(() => setDone(true))}
      >
        <p>{TEAM_WORDS.removeOtpWhat}</p>
      </ConfirmButton>
      {isDone ? <p role="status">{TEAM_WORDS.otpRemoved}</p> : null}
    </section>
  );
}
