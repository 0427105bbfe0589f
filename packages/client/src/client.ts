import { runBatch } from './batch.ts';
import type { BatchOptions } from './batch.ts';
import { pullEvents } from './pull.ts';
import type { PullOptions } from './pull.ts';
import { randomKey, send } from './send.ts';
import type { ApiConnection, PreparedRequest, Received } from './send.ts';
import { listen } from './stream.ts';
import type { ChangeEvent, StreamEvent, StreamOptions } from './stream.ts';
import type { WebhookEvent } from './webhook.ts';
import type {
  BatchLine,
  BatchResult,
  BinaryBody,
  CallArguments,
  Caller,
  ListCall,
  Query,
  RecordOf,
  ResponseCaller,
  Untyped,
} from './types.ts';

export interface ClientOptions {
  /** Base URL of Parlance: `https://chat.example.com`, with or without `/v2`. */
  url: string;
  /** API key or access token, or a function that is called before every attempt. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  timeoutMs?: number;
  /** Failed calls are retried for this long. Default 30,000. */
  retryForMs?: number;
  /**
   * Refuse unknown fields and commands (`Prefer: handling=strict`). Default true. With false the
   * API ignores them, and names them in the headers `X-Ignored-Fields` and `X-Hint`.
   */
  strict?: boolean;
  /** Sends every request, for example with further headers. */
  fetch?: typeof fetch;
}

export interface Client {
  /**
   * Makes a call: `call('POST /messages', { body: { conversation, text } })`. Retries transient
   * failures, except below `/auth`. Throws ParlanceError, or the signal's reason.
   */
  call: Caller;
  /** Makes a call and returns status, headers and body: 201 or 200, `X-Total`, `X-Hint`. */
  callWithResponse: ResponseCaller;
  /**
   * Yields the records of a list. Throws beyond offset 1,000 unless the list is sorted by `id`
   * (default) or, in one conversation, by `sequence`.
   */
  list: <C extends ListCall>(
    call: C,
    ...given: CallArguments<C>
  ) => AsyncGenerator<RecordOf<C>, void, undefined>;
  /**
   * Runs up to 10,000 requests as one, and yields their results in order (spec 2.11). Sends the
   * batch again with its key after a lost connection.
   */
  batch: (
    lines: readonly BatchLine[],
    options?: BatchOptions,
  ) => AsyncGenerator<BatchResult, void, undefined>;
  /**
   * Streams the events of a conversation and reconnects without a gap. Throws the signal's reason,
   * or ParlanceError when access ends.
   */
  stream: (conversation: string, options?: StreamOptions) => AsyncGenerator<StreamEvent, void, undefined>;
  /**
   * Streams which conversations change. A reconnect skips changes, so list the conversations again
   * at each `onOpen`.
   */
  changes: (options?: Omit<StreamOptions, 'after'>) => AsyncGenerator<ChangeEvent, void, undefined>;
  /**
   * Yields the events of a webhook without an address, in order per conversation, and acknowledges
   * each event when the loop requests the next event.
   */
  events: (service: string, options?: PullOptions) => AsyncGenerator<WebhookEvent, void, undefined>;
}

export function createClient({
  url,
  token,
  timeoutMs = 30_000,
  retryForMs = 30_000,
  strict = true,
  fetch: sendRequest = (...request) => fetch(...request),
}: ClientOptions): Client {
  const connection: ApiConnection = {
    base: `${url.replace(/\/+$/, '').replace(/\/v2$/, '')}/v2`,
    fetch: sendRequest,
    token: async () => (typeof token === 'function' ? token() : token),
    timeoutMs,
    retryForMs,
  };
  const preference: Record<string, string> = strict ? { prefer: 'handling=strict' } : {};
  const callWithResponse = async (name: string, given: Untyped = {}): Promise<Received> => {
    const [method = '', template = ''] = name.split(' ');
    const { body, headers, signal, idempotencyKey = randomKey() } = given;
    const encoded = encodeBody(body);
    return send(connection, {
      method,
      path: buildAddress(template, given),
      headers: {
        ...(encoded ? { 'content-type': encoded.type } : {}),
        ...(encoded?.type === JSON_TYPE ? preference : {}),
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}),
        ...headers,
      },
      body: encoded?.body,
      signal,
    });
  };
  const call = async (name: string, given?: Untyped) => (await callWithResponse(name, given)).body;
  return {
    call: call,
    callWithResponse: callWithResponse,
    list: ((name, given) => pages(call, name, given)) as Client['list'],
    batch: (lines, given) => runBatch(connection, lines, { ...given, headers: preference }),
    stream: (id, given) =>
      listen<StreamEvent>(connection, `/conversations/${encodeURIComponent(id)}/stream`, given),
    events: (service, given) => pullEvents(call, service, { ...given, timeoutMs }),
    changes: (given) => listen<ChangeEvent>(connection, '/conversations/stream', given),
  };
}

const JSON_TYPE = 'application/json';

function encodeBody(body: unknown): { type: string; body: NonNullable<PreparedRequest['body']> } | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return { type: 'text/plain', body };
  if (!isBinary(body)) return { type: JSON_TYPE, body: JSON.stringify(body) };
  return { type: (body instanceof Blob && body.type) || 'application/octet-stream', body };
}

function isBinary(body: unknown): body is BinaryBody {
  return [Blob, ArrayBuffer, Uint8Array, ReadableStream].some((type) => body instanceof type);
}

function buildAddress(template: string, { path = {}, query = {} }: Untyped) {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined || value === '') throw new TypeError(`${template}: path.${name} is missing`);
    // URL parsers resolve `.` and `..`, even percent-encoded, to another resource.
    if (value === '.' || value === '..')
      throw new TypeError(`${template}: path.${name} must not be "${value}"`);
    return encodeURIComponent(value);
  });
  const given: unknown = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given as [string, string][]).toString();
  return search ? `${filled}?${search}` : filled;
}

const PAGE = 200;
/** Highest offset of a list (spec 9.1). */
const MAX_OFFSET = 1_000;

type ListedRecord = Record<string, unknown>;

async function* pages(
  call: (name: string, given: Untyped) => Promise<unknown>,
  name: string,
  given: Untyped = {},
): AsyncGenerator<ListedRecord, void, undefined> {
  const { sort = 'id', offset: start = 0, ...query } = given.query ?? {};
  const limit = Number(query['limit'] ?? PAGE);
  const [, sign = '', field = ''] = /^(-?)(.*)$/.exec(String(sort)) ?? [];
  const keyed = isCursorField(field, name, query);
  let place: Query = { sort: keyed ? sort : given.query?.['sort'], offset: start };
  for (let offset = Number(start) + limit; ; offset += limit) {
    const page = (await call(name, { ...given, query: { ...query, limit, ...place } })) as ListedRecord[];
    yield* page;
    if (page.length < limit) return;
    if (keyed) place = { sort, [field]: `${sign ? '<' : '>'}${String(page.at(-1)?.[field])}` };
    else if (offset <= MAX_OFFSET) place = { ...place, offset };
    else throw new RangeError(offsetLimitMessage(String(sort)));
  }
}

/** Returns whether the next page can begin after the last value of the field. */
function isCursorField(field: string, name: string, query: ListedRecord): boolean {
  if (query['q'] !== undefined || query[field] !== undefined) return false;
  const inOne = name === 'GET /conversations/{id}/messages' || /^\w+$/.test(String(query['conversation']));
  return field === 'id' || (field === 'sequence' && inOne && /messages$/.test(name));
}

function offsetLimitMessage(sort: string): string {
  return `A list sorted by ${sort} ends behind offset ${MAX_OFFSET}: sort it by id, or ask for less.`;
}
