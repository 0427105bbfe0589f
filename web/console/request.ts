import { bodyText } from './parts/written-json.ts';
import { ApiError } from './parts/refusals.ts';

export interface ApiResult<T> {
  body: T;
  headers: Headers;
}

export interface RequestOptions {
  body?: unknown;
  /** A body that is sent as it is. */
  text?: string;
  signal?: AbortSignal;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const DEADLINE_MS = 40_000;
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 400;
const MAX_WAIT_MS = 10_000;

/** Makes the session good again, or rejects: who calls waits for it. */
let renew: () => Promise<void> = () => Promise.reject(new Error('no session'));

/** Called when the API refuses the session. */
let notifyUnauthorized: () => void = () => undefined;

/** Calls back on each 401, of which some are for another reason: look whether the session lives. */
export function onUnauthorized(call: () => void): void {
  notifyUnauthorized = call;
}

export function setRenewal(session: { renew: () => Promise<void> }): void {
  ({ renew } = session);
}

/**
 * Asks the API; `path` is below /v2. What is read, or created under one Idempotency-Key, is asked
 * again where nobody answers or the server is busy, as long as it says. Throws Refused.
 */
export async function api<T = unknown>(
  method: HttpMethod,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResult<T>> {
  const key: Record<string, string> = method === 'POST' ? { 'Idempotency-Key': randomKey() } : {};
  for (let tries = 1; ; tries += 1) {
    try {
      return await withRenewedSession(() => sendOnce<T>(method, `v2${path}`, { ...options, headers: key }));
    } catch (error) {
      if (!(error instanceof ApiError) || options.signal?.aborted) throw error;
      const passes = [0, 429, 502, 503, 504].includes(error.status);
      if (!passes || method === 'PATCH' || tries >= MAX_TRIES) throw error;
      await wait(computeWaitMs(error, tries), options.signal);
    }
  }
}

/** A stream of the API, for as long as it goes on; `path` is below /v2. Throws Refused. */
export async function openStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return withRenewedSession(async () => {
    const response = await fetch(`v2${path}`, { headers: { 'X-CSRF-Token': csrfToken() }, signal });
    if (response.ok && response.body) return response.body;
    throw await readRefusal(response);
  });
}

/** Asks again, once, with a session that is made good where it is over. */
async function withRenewedSession<T>(ask: () => Promise<T>): Promise<T> {
  const withRenewal = () =>
    ask().catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'token_expired') throw error;
      await renew();
      return ask();
    });
  return withRenewal().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) notifyUnauthorized();
    throw error;
  });
}

/** One request to this origin, relative to the page. Throws Refused. */
export async function sendOnce<T>(
  method: HttpMethod,
  path: string,
  { body, text, signal, headers = {} }: RequestOptions & { headers?: Record<string, string> },
): Promise<ApiResult<T>> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const response = await fetch(path, {
    method,
    headers: { 'X-CSRF-Token': csrfToken(), ...contentTypeHeader({ body, text }), ...headers },
    ...((text ?? body) === undefined ? {} : { body: text ?? bodyText(body) }),
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, {});
  });
  if (!response.ok) throw await readRefusal(response);
  return { body: (await readBody(response)) as T, headers: response.headers };
}

async function readRefusal(response: Response): Promise<ApiError> {
  return Object.assign(new ApiError(response.status, ((await readBody(response)) ?? {}) as ApiError), {
    retryAfterMs: Number(response.headers.get('Retry-After') ?? 0) * 1000,
  });
}

function readBody(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

/** The query of a list, without what is not given. */
export function buildQuery(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

function contentTypeHeader({ body, text }: Pick<RequestOptions, 'body' | 'text'>): Record<string, string> {
  if (text !== undefined) return { 'Content-Type': 'text/plain' };
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

function computeWaitMs(error: ApiError & { retryAfterMs?: number }, tries: number): number {
  const planned = FIRST_WAIT_MS * 2 ** tries * (0.75 + Math.random() / 2);
  return Math.min(MAX_WAIT_MS, Math.max(planned, error.retryAfterMs ?? 0));
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** Not `randomUUID`: pages without TLS that are not on this machine have none. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}
const OFFERED = /^#session=([\w-]+)(?=\/|$)/;

/** Where the browser keeps nothing, it lives as long as the page. */
let memoryToken = '';

/** Two deployments may share an origin, each below another path. */
function storageKey(): string {
  return `parlance:console:csrf${location.pathname.replace(/\/console\/?$/, '')}`;
}

/**
 * Returns what requests by the session's cookie send as `X-CSRF-Token` (spec 12.1); empty without
 * one. All tabs of this origin share it; a server on another port cannot read it.
 */
function csrfToken(): string {
  try {
    return localStorage.getItem(storageKey()) ?? memoryToken;
  } catch {
    return memoryToken;
  }
}

export function storeCsrfToken(token: string): void {
  memoryToken = token;
  try {
    if (token === '') localStorage.removeItem(storageKey());
    else localStorage.setItem(storageKey(), token);
  } catch {
    // Private windows and full storages refuse.
  }
}

/**
 * Takes the token out of the address that the start page led to (spec 12.4); empty without one.
 * Anybody can write such an address, so try the token before keeping it.
 */
export function takeOfferedToken(): string {
  const [whole = '', token = ''] = OFFERED.exec(location.hash) ?? [];
  if (token !== '') history.replaceState(null, '', `#${location.hash.slice(whole.length)}`);
  return token;
}
