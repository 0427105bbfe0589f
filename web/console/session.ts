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

let notifyUnauthorized: () => void = () => undefined;

export function onUnauthorized(call: () => void): void {
  notifyUnauthorized = call;
}

/** Renews the session if its access token has expired, and then repeats the request once. */
async function fetchInSession(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const send = () => {
    const headers = new Headers(init?.headers);
    headers.set('X-CSRF-Token', csrfToken());
    return fetch(url, { ...init, headers });
  };
  let response = await send();
  if (await isTokenExpired(response)) {
    response = (await renewSession())
      ? await send()
      : new Response('{"code":"unauthenticated"}', { status: 401 });
  }
  if (response.status === 401) notifyUnauthorized();
  return response;
}

async function isTokenExpired(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  return toParlanceError(response, await response.clone().text()).code === 'token_expired';
}

/** Returns null without a session. Renews an expired access token. */
export async function currentSession(): Promise<Session | null> {
  try {
    await adoptOfferedToken();
    return await requestSession<Session>('GET');
  } catch (error) {
    if (error instanceof ParlanceError && error.code === 'token_expired') return renewSession();
    return nullIfUnauthorized(error);
  }
}

/** Throws ParlanceError, with code `otp_required` if the one-time password is missing. */
export async function signIn(body: Credentials): Promise<Session> {
  const { csrfToken, ...session } = await requestSession<Session & { csrfToken: string }>('POST', { body });
  storeCsrfToken(csrfToken);
  return session;
}

export async function signOut(): Promise<void> {
  await requestSession('DELETE').catch(nullIfUnauthorized);
  storeCsrfToken('');
}

/** A refresh token works only once, so one tab renews the session for all. */
async function renewSession(): Promise<Session | null> {
  const renew = async () =>
    (await requestSession<Session>('GET').catch(nullIfUnauthorized)) ??
    (await requestSession<Session>('PUT').catch(nullIfUnauthorized));
  return 'locks' in navigator ? navigator.locks.request(LOCK, renew) : renew();
}

/** A busy server does not end the session. */
function nullIfUnauthorized(error: unknown): null {
  if (error instanceof ParlanceError && [401, 403].includes(error.status)) return null;
  throw error;
}

async function requestSession<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  { body, token = csrfToken() }: { body?: Credentials; token?: string } = {},
): Promise<T> {
  const unreachable = (cause: unknown) => {
    throw new ParlanceError('unreachable', { status: 0, code: 'unreachable' }, { cause });
  };
  const response = await fetch(PATH, {
    method,
    headers: { 'X-CSRF-Token': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch(unreachable);
  const text = await response.text().catch(unreachable);
  if (!response.ok) throw toParlanceError(response, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** CSRF token if storage is blocked. */
let memoryToken = '';

function storageKey(): string {
  return `parlance:console:csrf${location.pathname.replace(/\/console\/?$/, '')}`;
}

/** Returns the CSRF token of the session (spec 12.1). All tabs share it. */
function csrfToken(): string {
  return loadShared(storageKey()) || memoryToken;
}

/** Returns where the files of a conversation are sent (spec 6.11). */
export function uploadTarget(conversation: string): UploadTarget {
  const url = new URL(`v2/files?conversation=${encodeURIComponent(conversation)}`, document.baseURI).href;
  return { url, headers: { 'X-CSRF-Token': csrfToken() } };
}

function storeCsrfToken(token: string): void {
  memoryToken = token;
  saveShared(storageKey(), token);
}

/**
 * Verifies the URL's CSRF token from the start page (spec 12.4), because anyone can craft a URL.
 */
async function adoptOfferedToken(): Promise<void> {
  const [whole, token] = /^#session=([\w-]+)(?=\/|$)/.exec(location.hash) ?? [];
  if (whole === undefined || token === undefined) return;
  history.replaceState(null, '', `#${location.hash.slice(whole.length)}`);
  if (await requestSession('GET', { token }).catch(() => null)) storeCsrfToken(token);
}

interface FirstPassword {
  email: string;
  file: string;
}

/** Set by the server. */
const data = document.getElementById('console')?.dataset ?? {};

export const LOGO = data['logo'] ?? '';

/**
 * Email and password file of the first admin, until the generated password is changed (spec 12.5).
 */
export const FIRST_PASSWORD =
  data['first'] === undefined ? undefined : (JSON.parse(data['first']) as FirstPassword);
