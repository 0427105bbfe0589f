import { randomUUID } from 'node:crypto';
import { assertDescribed } from './described.ts';

/** An answer of the API, whatever its status. */
export interface ApiResponse<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface ApiClient {
  request: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<ApiResponse<any>>;
  get: (path: string) => Promise<ApiResponse<any>>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiResponse<any>>;
}

/**
 * A caller of the API. `base` includes /v2; a body that is text is sent as it is. Every answer is
 * checked against the API's own document: what it does not describe fails the test.
 */
export function client(base: string, token?: string): ApiClient {
  const request: ApiClient['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(40_000),
    });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: await readBody(response),
    };
    await assertDescribed(base, { method, path, ...answer });
    return answer;
  };
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body, headers) => request('POST', path, body, headers),
  };
}

/**
 * Posts with one idempotency key until the response is not 503. Use it to prepare a test: while the
 * machine stands still, the product rejects requests.
 */
export async function postPatiently(
  caller: ApiClient,
  path: string,
  body: unknown,
): Promise<ApiResponse<any>> {
  const headers = { 'Idempotency-Key': randomUUID() };
  for (;;) {
    const answer = await caller.post(path, body, headers);
    if (answer.status !== 503) return answer;
  }
}

/** Of a stream, which has no end, the empty text. */
async function readBody(response: Response): Promise<unknown> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return '';
  }
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}
