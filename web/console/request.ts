import { csrfToken } from './csrf-token.ts';
import { bodyText } from './parts/written-json.ts';
import { Refused } from './refused.ts';

export interface Answered<T> {
  body: T;
  headers: Headers;
}

export interface RequestOptions {
  body?: unknown;
  /** A body that is sent as it is. */
  text?: string;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const DEADLINE_MS = 40_000;
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 400;
const MAX_WAIT_MS = 10_000;

/** Makes the session good again, or rejects: who calls waits for it. */
let renew: () => Promise<void> = () => Promise.reject(new Error('no session'));

/** Called when the API refuses the session. */
let refused: () => void = () => undefined;

/** Calls back on each 401, of which some are for another reason: look whether the session lives. */
export function onRefusedSession(call: () => void): void {
  refused = call;
}

export function useSession(session: { renew: () => Promise<void> }): void {
  ({ renew } = session);
}

/**
 * Asks the API; `path` is below /v2. What is read, or created under one Idempotency-Key, is asked
 * again where nobody answers or the server is busy, as long as it says. Throws Refused.
 */
export async function api<T = unknown>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answered<T>> {
  const key: Record<string, string> = method === 'POST' ? { 'Idempotency-Key': randomKey() } : {};
  for (let tries = 1; ; tries += 1) {
    try {
      return await renewing(() => once<T>(method, `v2${path}`, { ...options, headers: key }));
    } catch (error) {
      if (!(error instanceof Refused) || options.signal?.aborted) throw error;
      const passes = [0, 429, 502, 503, 504].includes(error.status);
      if (!passes || method === 'PATCH' || tries >= MAX_TRIES) throw error;
      await wait(waitOf(error, tries), options.signal);
    }
  }
}

/** A stream of the API, for as long as it goes on; `path` is below /v2. Throws Refused. */
export async function openStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return renewing(async () => {
    const response = await fetch(`v2${path}`, { headers: { 'X-CSRF-Token': csrfToken() }, signal });
    if (response.ok && response.body) return response.body;
    throw await refusalIn(response);
  });
}

/** Asks again, once, with a session that is made good where it is over. */
async function renewing<T>(ask: () => Promise<T>): Promise<T> {
  const withRenewal = () =>
    ask().catch(async (error: unknown) => {
      if (!(error instanceof Refused) || error.code !== 'token_expired') throw error;
      await renew();
      return ask();
    });
  return withRenewal().catch((error: unknown) => {
    if (error instanceof Refused && error.status === 401) refused();
    throw error;
  });
}

/** One request to this origin, relative to the page. Throws Refused. */
export async function once<T>(
  method: Method,
  path: string,
  { body, text, signal, headers = {} }: RequestOptions & { headers?: Record<string, string> },
): Promise<Answered<T>> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const response = await fetch(path, {
    method,
    headers: { 'X-CSRF-Token': csrfToken(), ...typeOf({ body, text }), ...headers },
    ...((text ?? body) === undefined ? {} : { body: text ?? bodyText(body) }),
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refused(0, {});
  });
  if (!response.ok) throw await refusalIn(response);
  return { body: (await bodyOf(response)) as T, headers: response.headers };
}

async function refusalIn(response: Response): Promise<Refused> {
  return Object.assign(new Refused(response.status, ((await bodyOf(response)) ?? {}) as Refused), {
    retryAfterMs: Number(response.headers.get('Retry-After') ?? 0) * 1000,
  });
}

function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

/** The query of a list, without what is not given. */
export function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

function typeOf({ body, text }: Pick<RequestOptions, 'body' | 'text'>): Record<string, string> {
  if (text !== undefined) return { 'Content-Type': 'text/plain' };
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

function waitOf(error: Refused & { retryAfterMs?: number }, tries: number): number {
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
