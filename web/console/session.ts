import { ParlanceError, createClient, toParlanceError } from '@parlance/client';
import type { UploadTarget } from '../components/uploads.ts';
import { loadShared, saveShared } from './storage.ts';

/** See spec 12.1. */
export interface Session {
  user: string;
  scope: 'guest' | 'agent' | 'bot' | 'admin';
  organization: { id: string; name: string; logo?: string };
  expiresAt: string;
  /** Address of the service for browsers and providers. */
  publicUrl: string;
  /** Language of the console that the user chose. */
  language?: string;
  /** Touchpoints that a channel may carry. */
  touchpoints: readonly string[];
  /** `ui` has no trailing slash. */
  temporal?: { ui: string; namespace: string };
}

export interface Credentials {
  email: string;
  password: string;
  otp?: string | undefined;
}

const PATH = 'console/session';
const LOCK = 'parlance-session';
const DEADLINE_MS = 40_000;

/** The access token is in a cookie. */
export const client = createClient({
  url: new URL('.', document.baseURI).href,
  fetch: fetchInSession,
  timeoutMs: DEADLINE_MS,
  retryForMs: 6_000,
  // Forms send back fields that the API ignores.
  strict: false,
});

let notifyTrouble: () => void = () => undefined;

/** False after a request that the server did not answer, until the server answers a request. */
let isAnswering = true;

/** Returns whether polling makes sense. The session is checked all the same. */
export function isReachable(): boolean {
  return isAnswering;
}

/** `call` runs if a request finds no session or no server, and after a sign-in in another tab. */
export function onTrouble(call: () => void): void {
  notifyTrouble = call;
  addEventListener('storage', ({ key }) => key === storageKey() && call());
}

async function fetchInSession(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const send = () => {
    const headers = new Headers(init?.headers);
    headers.set('X-CSRF-Token', page.token);
    return fetch(url, { ...init, headers });
  };
  try {
    let response = await send();
    const isRefused = [401, 403].includes(response.status) && isTokenReplaced();
    if (isRefused || (await isTokenExpired(response))) {
      const session = await currentSession();
      response =
        session && session.user === page.user
          ? await send()
          : new Response('{"code":"unauthenticated"}', { status: 401 });
    }
    isAnswering = true;
    if (response.status === 401) notifyTrouble();
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) noteSilence();
    throw error;
  }
}

function noteSilence(): void {
  // Later failures have the same cause, and the session is checked until the server answers.
  if (isAnswering) notifyTrouble();
  isAnswering = false;
}

async function isTokenExpired(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  return toParlanceError(response, await response.clone().text()).code === 'token_expired';
}

/** Returns null without a session. Renews an expired access token. */
export async function currentSession(): Promise<Session | null> {
  await adoptOfferedToken();
  return (await readSession(page.token)) ?? (isTokenReplaced() ? readSession(storedToken()) : null);
}

async function readSession(token: string): Promise<Session | null> {
  const session = await requestSession<Session>('GET', { token }).catch((error: unknown) =>
    error instanceof ParlanceError && error.code === 'token_expired'
      ? renewSession(token)
      : nullIfUnauthorized(error),
  );
  if (session) adopt(session, token);
  return session;
}

/** Throws ParlanceError, with code `otp_required` if the one-time password is missing. */
export async function signIn(body: Credentials): Promise<Session> {
  const { csrfToken, ...session } = await requestSession<Session & { csrfToken: string }>('POST', { body });
  saveShared(storageKey(), csrfToken);
  adopt(session, csrfToken);
  await setStatus('online');
  return session;
}

const STATUS_MS = 3_000;

/** Shows colleagues whether this user works. A failure does not delay signing in or out. */
async function setStatus(status: 'online' | 'offline'): Promise<void> {
  const signal = AbortSignal.timeout(STATUS_MS);
  await client.call('PATCH /users/me', { body: { status }, signal }).catch(() => undefined);
}

export async function signOut(): Promise<void> {
  await setStatus('offline');
  await requestSession('DELETE').catch(nullIfUnauthorized);
  if (!isTokenReplaced()) saveShared(storageKey(), '');
}

/** A refresh token works only once, so one tab renews the session for all. */
async function renewSession(token: string): Promise<Session | null> {
  const renew = async () =>
    (await requestSession<Session>('GET', { token }).catch(nullIfUnauthorized)) ??
    (await requestSession<Session>('PUT', { token }).catch(nullIfUnauthorized));
  return 'locks' in navigator ? navigator.locks.request(LOCK, renew) : holdLease(LOCK, renew);
}

const LEASE_MS = 10_000;
const LEASE_POLL_MS = 50;

interface Lease {
  owner: number;
  endsAt: number;
}

/** Runs `work` in one tab at a time, where the browser has no locks: on http, outside localhost. */
async function holdLease<T>(name: string, work: () => Promise<T>): Promise<T> {
  const leases = await openLeases().catch(() => null);
  // Without storage there is one tab.
  if (!leases) return work();
  const own = { owner: Math.random(), endsAt: 0 };
  const update = (change: (lease: Lease) => Lease) => changeLease(leases, { name, change }).catch(() => own);
  const take = (lease: Lease) =>
    lease.endsAt > Date.now() ? lease : { ...own, endsAt: Date.now() + LEASE_MS };
  while ((await update(take)).owner !== own.owner)
    await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_MS));
  try {
    return await work();
  } finally {
    await update((lease) => (lease.owner === own.owner ? own : lease));
    leases.close();
  }
}

const LEASES = 'leases';

function openLeases(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('parlance:console', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(LEASES);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no storage'));
  });
}

/** Changes a lease in one transaction, which excludes the transactions of other tabs. */
function changeLease(
  leases: IDBDatabase,
  { name, change }: { name: string; change: (lease: Lease) => Lease },
): Promise<Lease> {
  return new Promise((resolve, reject) => {
    const transaction = leases.transaction(LEASES, 'readwrite');
    const store = transaction.objectStore(LEASES);
    const read = store.get(name);
    let lease = { owner: 0, endsAt: 0 };
    read.onsuccess = () => {
      lease = change((read.result as Lease | undefined) ?? lease);
      store.put(lease, name);
    };
    transaction.oncomplete = () => resolve(lease);
    transaction.onabort = () => reject(transaction.error ?? new Error('the lease was not changed'));
  });
}

/** A busy server does not end the session. */
function nullIfUnauthorized(error: unknown): null {
  if (error instanceof ParlanceError && [401, 403].includes(error.status)) return null;
  throw error;
}

async function requestSession<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  { body, token = page.token }: { body?: Credentials; token?: string } = {},
): Promise<T> {
  const unreachable = (cause: unknown) => {
    isAnswering = false;
    throw new ParlanceError('unreachable', { status: 0, code: 'unreachable' }, { cause });
  };
  const response = await fetch(PATH, {
    method,
    headers: { 'X-CSRF-Token': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch(unreachable);
  const text = await response.text().catch(unreachable);
  isAnswering = true;
  if (!response.ok) throw toParlanceError(response, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function storageKey(): string {
  return `parlance:console:csrf${location.pathname.replace(/\/console\/?$/, '')}`;
}

function storedToken(): string {
  return loadShared(storageKey());
}

/**
 * The user that this page shows, and the CSRF token of that user's session (spec 12.1). After
 * another user has signed in in another tab, the server refuses the requests of this page.
 */
const page: { user?: string; token: string } = { token: storedToken() };

function adopt({ user }: Session, token: string): void {
  if (page.user === undefined || page.user === user) Object.assign(page, { user, token });
}

/** Returns whether this page shows another user, so that it has to reload. */
export function isOfAnotherUser({ user }: Session): boolean {
  return page.user !== user;
}

function isTokenReplaced(): boolean {
  return ![page.token, ''].includes(storedToken());
}

/** Returns where the files of a conversation are sent (spec 6.11). */
export function uploadTarget(conversation: string): UploadTarget {
  const url = new URL(`v2/files?conversation=${encodeURIComponent(conversation)}`, document.baseURI).href;
  return { url, headers: { 'X-CSRF-Token': page.token } };
}

/** Returns whether someone has signed in with this browser, or came from the start page. */
export function mayHaveSession(): boolean {
  return storedToken() !== '' || OFFERED.test(location.hash);
}

const OFFERED = /^#session=([\w-]+)(?=\/|$)/;

/**
 * Verifies the URL's CSRF token from the start page (spec 12.4), because anyone can craft a URL.
 */
async function adoptOfferedToken(): Promise<void> {
  const [whole, token] = OFFERED.exec(location.hash) ?? [];
  if (whole === undefined || token === undefined) return;
  history.replaceState(null, '', `#${location.hash.slice(whole.length)}`);
  if (!(await requestSession('GET', { token }).catch(() => null))) return;
  saveShared(storageKey(), token);
  page.token = token;
}

interface FirstPassword {
  email: string;
  file: string;
}

/** Set by the server. */
const data = document.getElementById('console')?.dataset ?? {};

export const LOGO = data['logo'] ?? '';

/** Whether a forgotten password is mended by mail (spec 3.10). */
export const SENDS_MAIL = data['mail'] !== undefined;

/**
 * Email and password file of the first admin, until the generated password is changed (spec 12.5).
 */
export const FIRST_PASSWORD =
  data['first'] === undefined ? undefined : (JSON.parse(data['first']) as FirstPassword);
