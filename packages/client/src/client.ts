import { randomKey, send } from './send.ts';
import type { ApiConnection } from './send.ts';
import { listen } from './stream.ts';
import type { ChangeEvent, StreamEvent, StreamOptions } from './stream.ts';
import type { AnswerTo, Call, CallArguments, ListCall, Query, RecordOf, Untyped } from './types.ts';

export interface ClientOptions {
  /** Base URL of Parlance: `https://chat.example.com`, with or without `/v2`. */
  url: string;
  /** API key or access token, or a function that is called before every attempt. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Timeout of one attempt. Default 30,000. */
  timeoutMs?: number;
  /** Failed calls are retried for this long. Default 30,000. */
  retryForMs?: number;
  /** Sends every request, for example with further headers. */
  fetch?: typeof fetch;
}

export interface Client {
  /**
   * Makes a call: `call('POST /messages', { body: { conversation, text } })`. Retries transient
   * failures, except below `/auth`. Throws ParlanceError, or the signal's reason.
   */
  call: <C extends Call, const G extends CallArguments<C>>(call: C, ...given: G) => Promise<AnswerTo<C, G>>;
  /**
   * Yields the records of a list. Throws beyond offset 1,000 unless the list is sorted by `id`
   * (default) or, in one conversation, by `sequence`.
   */
  list: <C extends ListCall>(
    call: C,
    ...given: CallArguments<C>
  ) => AsyncGenerator<RecordOf<C>, void, undefined>;
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
}

export function createClient({
  url,
  token,
  timeoutMs = 30_000,
  retryForMs = 30_000,
  fetch: sendRequest = (...request) => fetch(...request),
}: ClientOptions): Client {
  const connection: ApiConnection = {
    base: `${url.replace(/\/+$/, '').replace(/\/v2$/, '')}/v2`,
    fetch: sendRequest,
    token: async () => (typeof token === 'function' ? token() : token),
    timeoutMs,
    retryForMs,
  };
  const call = async (name: string, given: Untyped = {}): Promise<unknown> => {
    const [method = '', template = ''] = name.split(' ');
    const { body, headers, signal, idempotencyKey = randomKey() } = given;
    const isText = typeof body === 'string';
    return send(connection, {
      method,
      path: buildAddress(template, given),
      headers: {
        ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}),
        ...headers,
      },
      body: isText ? body : JSON.stringify(body),
      signal,
    });
  };
  return {
    call: call as Client['call'],
    list: ((name, given) => pages(call, name, given)) as Client['list'],
    stream: (id, given) =>
      listen<StreamEvent>(connection, `/conversations/${encodeURIComponent(id)}/stream`, given),
    changes: (given) => listen<ChangeEvent>(connection, '/conversations/stream', given),
  };
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
