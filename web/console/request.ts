import { bodyText } from './parts/written-json.ts';
import { ApiError } from './parts/refusals.ts';

export interface ApiResult<T> {
  body: T;
  headers: Headers;
}

export interface RequestOptions {
  body?: unknown;
  /** Body that is sent as plain text. */
  text?: string;
  signal?: AbortSignal;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const DEADLINE_MS = 40_000;
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 400;
const MAX_WAIT_MS = 10_000;

/** Rejects if the session cannot be renewed. */
let renew: () => Promise<void> = () => Promise.reject(new Error('no session'));

let notifyUnauthorized: () => void = () => undefined;

export function onUnauthorized(call: () => void): void {
  notifyUnauthorized = call;
}

export function setRenewal(session: { renew: () => Promise<void> }): void {
  ({ renew } = session);
}

/**
 * Calls the API; `path` is below /v2. Retries all methods except PATCH when the server is busy or
 * unreachable. Throws ApiError.
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

/** Opens a stream of the API; `path` is below /v2. Throws ApiError. */
export async function openStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return withRenewedSession(async () => {
    const response = await fetch(`v2${path}`, { headers: { 'X-CSRF-Token': csrfToken() }, signal });
    if (response.ok && response.body) return response.body;
    throw await readRefusal(response);
  });
}

/** Repeats a request once after renewing an expired session. */
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

/** Sends a request without retries. Throws ApiError. */
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

/** Omits undefined and empty values. */
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

/** Avoids `crypto.randomUUID`, which needs TLS or localhost. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}
const OFFERED = /^#session=([\w-]+)(?=\/|$)/;

/** Fallback without storage: the token lives as long as the page. */
let memoryToken = '';

function storageKey(): string {
  return `parlance:console:csrf${location.pathname.replace(/\/console\/?$/, '')}`;
}

/**
 * Returns the `X-CSRF-Token` of the session (spec 12.1), or an empty string. All tabs share it; a
 * server on another port cannot read it.
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
    // Private windows and full storages refuse writes.
  }
}

/**
 * Removes and returns the token in the URL, which the start page sets (spec 12.4), or an empty
 * string. Anyone can craft such a URL, so verify the token before storing it.
 */
export function takeOfferedToken(): string {
  const [whole = '', token = ''] = OFFERED.exec(location.hash) ?? [];
  if (token !== '') history.replaceState(null, '', `#${location.hash.slice(whole.length)}`);
  return token;
}
