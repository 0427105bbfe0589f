import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { assertDescribed } from './described.ts';

/** A response of the API, with any status. */
export interface ApiResponse<T> {
  status: number;
  headers: Headers;
  body: T;
}

interface Requests {
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
 * A client that repeats a request while the API is `unavailable` (503) or the connection is lost:
 * both are legal while the machine stalls or a process restarts.
 */
export interface ApiClient extends Requests {
  /** Sends one attempt without an idempotency key, and returns or throws its result. */
  once: Requests;
}

/** Ends the repeats of a request. */
const PATIENCE_MS = 120_000;
/** Longer than the deadline of a post in tests, after which the API responds 503. */
const ATTEMPT_MS = 100_000;
const MAX_WAIT_MS = 1_000;
const LOST_WAIT_MS = 100;

/**
 * Creates an API client. `base` includes /v2. A text body is sent unchanged. Every response is
 * validated against the API's OpenAPI document.
 */
export function client(base: string, token?: string): ApiClient {
  const attempt: Requests['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: await readBody(response),
    };
    await assertDescribed(base, { method, path, ...answer });
    return answer;
  };
  const patient: Requests['request'] = (method, path, body, headers) => {
    const keyed = token && method === 'POST' && !SHOWS_SECRET.test(path);
    const key = keyed ? { 'Idempotency-Key': randomUUID() } : {};
    return repeat(method, () => attempt(method, path, body, { ...key, ...headers }));
  };
  return { ...requestsBy(patient), once: requestsBy(attempt) };
}

function requestsBy(request: Requests['request']): Requests {
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body, headers) => request('POST', path, body, headers),
  };
}

/** The replayed response to a key lacks the secret, so a repeat creates another secret. */
const SHOWS_SECRET = /\/(?:apikeys|secret|ingest)$/;

/** Repeats attempts until one has a final response. */
async function repeat(method: string, attempt: () => Promise<ApiResponse<any>>): Promise<ApiResponse<any>> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let attempts = 1; ; attempts += 1) {
    const hasTime = performance.now() < deadline;
    try {
      const answer = await attempt();
      // An attempt without a response may have deleted the record.
      if (method === 'DELETE' && answer.status === 404 && attempts > 1) {
        return { ...answer, status: 204, body: undefined };
      }
      if (answer.body?.code !== 'unavailable' || !hasTime) return answer;
      await wait(Math.min(Number(answer.headers.get('retry-after') ?? 1) * 1_000, MAX_WAIT_MS));
    } catch (error) {
      if (!isLost(error) || !hasTime) throw error;
      await wait(LOST_WAIT_MS);
    }
  }
}

const LOST_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** Returns whether a request failed because of its connection or its time limit. */
function isLost(error: unknown): boolean {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return name === 'TimeoutError' || LOST_CODES.includes(cause?.code ?? '');
}

/** Creates a conversation and returns its id. */
export async function createConversation(caller: Requests, fields: object = {}): Promise<string> {
  const { status, body } = await caller.post('/conversations', fields);
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
