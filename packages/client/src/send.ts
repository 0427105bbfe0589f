import { backoffMs, wait, withTimeout } from './backoff.ts';
import { ParlanceError, toParlanceError, unreachableError } from './error.ts';

/** How a client reaches Parlance. */
export interface ApiConnection {
  /** The address with `/v2`. */
  base: string;
  fetch: typeof fetch;
  token: () => Promise<string | undefined>;
  /** For one attempt, from connecting to the last byte. */
  timeoutMs: number;
  /** For how long a call is repeated. */
  retryForMs: number;
}

export interface PreparedRequest {
  method: string;
  /** Below the base, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Whether it does the same done twice. */
  repeatable: boolean;
}

const TRANSIENT = [0, 429, 502, 503, 504];

/**
 * The body of the answer of success. What is repeatable is repeated for a while after 429, 502,
 * 503, 504 and where no answer came. Throws ParlanceError, or the signal's reason.
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

/** Whether the same may succeed a little later. */
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

/** Makes a request and answers when its headers are there. */
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
