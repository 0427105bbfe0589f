import { backoffMs, wait, withTimeout } from './backoff.ts';
import { ParlanceError, toParlanceError, unreachableError } from './error.ts';

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
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the request may be sent twice. */
  repeatable: boolean;
}

const TRANSIENT = [0, 429, 502, 503, 504];

/**
 * Returns the body of the response. Retries a repeatable request after 429, 502, 503, 504 or no
 * response. Throws ParlanceError, or the signal's reason.
 */
export async function send(connection: ApiConnection, request: PreparedRequest): Promise<unknown> {
  const until = Date.now() + connection.retryForMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptOnce(connection, request);
    } catch (error) {
      if (!(error instanceof ParlanceError) || !request.repeatable || !isTransient(error)) throw error;
      const waitMs = backoffMs(attempt, error.retryAfterSeconds);
      if (Date.now() + waitMs > until) throw error;
      await wait(waitMs, request.signal);
    }
  }
}

export function isTransient({ status }: ParlanceError): boolean {
  return TRANSIENT.includes(status);
}

function attemptOnce(connection: ApiConnection, request: PreparedRequest): Promise<unknown> {
  return withTimeout(connection.timeoutMs, request.signal, async (signal) => {
    const { response, url } = await openResponse(connection, { ...request, signal });
    const text = await response.text().catch((error: unknown) => {
      throw unreachableError(url, error);
    });
    if (!response.ok) throw toParlanceError(response, text);
    return text === '' ? undefined : parseBody(text, url);
  });
}

/** Returns as soon as the response headers are received. */
export async function openResponse(
  { base, fetch, token }: ApiConnection,
  { method, path, headers, body, signal }: Omit<PreparedRequest, 'repeatable'>,
): Promise<{ response: Response; url: string }> {
  const url = base + path;
  const bearer = await token();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    return { response, url };
  } catch (error) {
    throw unreachableError(url, signal?.aborted ? signal.reason : error);
  }
}

function parseBody(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreachableError(url, error);
  }
}
