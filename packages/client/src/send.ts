import { ParlanceError, toParlanceError, unreachableError } from './error.ts';
import type { BinaryBody } from './types.ts';

export interface ApiConnection {
  base: string;
  fetch: typeof fetch;
  token: () => Promise<string | undefined>;
  /** Timeout of one attempt, from connecting to the last byte. */
  timeoutMs: number;
  retryForMs: number;
}

export interface PreparedRequest {
  method: string;
  /** Path below `base`, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: string | BinaryBody | undefined;
  signal?: AbortSignal | undefined;
}

export interface Received {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Throws ParlanceError, or the signal's reason. */
export async function send(connection: ApiConnection, request: PreparedRequest): Promise<Received> {
  const until = Date.now() + connection.retryForMs;
  // A refresh token works only once, and a stream is read only once.
  const repeatable = !request.path.startsWith('/auth/') && !(request.body instanceof ReadableStream);
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptOnce(connection, request);
    } catch (error) {
      if (!(error instanceof ParlanceError) || !repeatable || !error.isTransient) throw error;
      const waitMs = backoffMs(attempt, error.retryAfterSeconds);
      if (Date.now() + waitMs > until) throw error;
      await wait(waitMs, request.signal);
    }
  }
}

function attemptOnce(connection: ApiConnection, request: PreparedRequest): Promise<Received> {
  return withTimeout(connection.timeoutMs, request.signal, async (signal) => {
    const { response, url } = await openResponse(connection, { ...request, signal });
    const text = await response.text().catch((error: unknown) => {
      throw unreachableError(url, error);
    });
    if (!response.ok) throw toParlanceError(response, text);
    const { status, headers } = response;
    return { status, headers, body: text === '' ? undefined : parseBody(text, url) };
  });
}

/** Returns as soon as the response headers are received. */
export async function openResponse(
  { base, fetch, token }: ApiConnection,
  { method, path, headers, body, signal }: PreparedRequest,
): Promise<{ response: Response; url: string }> {
  const url = base + path;
  const bearer = await token();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...headers },
      body: body ?? null,
      signal: signal ?? null,
      // Node refuses a stream without it.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    return { response, url };
  } catch (error) {
    throw unreachableError(url, signal?.aborted ? signal.reason : error);
  }
}

/** Avoids `crypto.randomUUID`, which browsers have only over TLS or on localhost. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}

function parseBody(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreachableError(url, error);
  }
}

const FIRST_MS = 250;
const MAX_MS = 8_000;
/** `setTimeout` fires at once for a longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Returns `Retry-After` or an exponential delay, with jitter. */
export function backoffMs(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number = Math.random(),
): number {
  const spread = Math.min(MAX_MS, FIRST_MS * 2 ** attempt) * (0.5 + random / 2);
  return retryAfterSeconds === undefined ? spread : retryAfterSeconds * 1000 + random * FIRST_MS;
}

/** Rejects with the signal's reason when the signal aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Avoids `AbortSignal.any`, which keeps every derived signal in memory. */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  const timer = setTimeout(
    () => end.abort(new Error(`no answer within ${ms} ms`)),
    Math.min(ms, MAX_TIMER_MS),
  );
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await run(end.signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
