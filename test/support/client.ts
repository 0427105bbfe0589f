import { randomUUID } from 'node:crypto';
import { assertDescribed } from './described.ts';
import { eventually } from './eventually.ts';

/** Longer than the deadline of a post, after which the API responds 503. */
const GIVES_UP_MS = 100_000;

/** A response of the API, with any status. */
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
 * Creates an API client. `base` includes /v2. A text body is sent unchanged. Every response is
 * validated against the API's OpenAPI document.
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
      signal: AbortSignal.timeout(GIVES_UP_MS),
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
 * Posts until the response is not `unavailable` (503), always with the same idempotency key. Use
 * this to prepare a test: the product is unavailable while the machine stalls.
 */
export function postPatiently(caller: ApiClient, path: string, body: unknown): Promise<ApiResponse<any>> {
  const headers = { 'Idempotency-Key': randomUUID() };
  return eventually(
    async () => {
      const answer = await caller.post(path, body, headers);
      return answer.body?.code !== 'unavailable' && answer;
    },
    { withinMs: 180_000 },
  );
}

/** Creates a conversation by `postPatiently`, and returns its id. */
export async function createConversation(caller: ApiClient, fields: object = {}): Promise<string> {
  const { status, body } = await postPatiently(caller, '/conversations', fields);
  if (status !== 201) throw new Error(`no conversation: ${status} ${JSON.stringify(body)}`);
  return body.id as string;
}

/** Returns the parsed body. Cancels an event stream and returns an empty text for it. */
async function readBody(response: Response): Promise<unknown> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return '';
  }
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}
