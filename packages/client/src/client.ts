import { send } from './send.ts';
import type { ApiConnection } from './send.ts';
import { listen } from './stream.ts';
import type { StreamEvent, StreamOptions } from './stream.ts';
import type { AnswerTo, Call, CallArguments, ListCall, RecordOf, Untyped } from './types.ts';

export interface ClientOptions {
  /** Base URL of Parlance: `https://chat.example.com`, with or without `/v2`. */
  url: string;
  /**
   * API key or access token, or a function that returns a token. It is called before every attempt.
   */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Timeout of one attempt, in milliseconds. Default 30,000. */
  timeoutMs?: number;
  /** Failed calls are retried for this long, in milliseconds. Default 30,000. */
  retryForMs?: number;
  fetch?: typeof fetch;
}

export interface Client {
  /**
   * Makes a call: `call('POST /messages', { body: { conversation, text } })`. Retries it for
   * `retryForMs` when Parlance is busy or unreachable. A POST gets an `Idempotency-Key`. Calls
   * below `/auth` are never retried. Throws ParlanceError, or the signal's reason.
   */
  call: <C extends Call, const G extends CallArguments<C>>(call: C, ...given: G) => Promise<AnswerTo<C, G>>;
  /**
   * Iterates over a list page by page: `for await (const one of list('GET /conversations'))`.
   * Sorted by `id` (the default) it reads the whole list. Other sort orders throw beyond offset
   * 1,000.
   */
  list: <C extends ListCall>(
    call: C,
    ...given: CallArguments<C>
  ) => AsyncGenerator<RecordOf<C>, void, undefined>;
  /**
   * Streams the events of a conversation and reconnects without a gap. Ends when the caller stops
   * or the signal aborts. Throws ParlanceError when access ends.
   */
  stream: (conversation: string, options?: StreamOptions) => AsyncGenerator<StreamEvent, void, undefined>;
}

export function createClient(options: ClientOptions): Client {
  const connection = createConnection(options);
  const call = async (name: string, given: Untyped = {}): Promise<unknown> => {
    const [method = '', template = ''] = name.split(' ');
    const path = buildAddress(template, given);
    const { headers, signal, idempotencyKey } = given;
    return send(connection, {
      method,
      path,
      headers: { ...contentTypeHeader(given.body), ...idempotencyHeader(method, idempotencyKey), ...headers },
      body: serializeBody(given.body),
      signal,
      // A refresh token works only once.
      repeatable: !path.startsWith('/auth/'),
    });
  };
  return {
    call: call as Client['call'],
    list: ((name, given) => pages(call, name, given)) as Client['list'],
    stream: (conversation, given) => listen(connection, conversation, given),
  };
}

function createConnection({ url, token, timeoutMs = 30_000, retryForMs = 30_000, ...rest }: ClientOptions) {
  const connection: ApiConnection = {
    base: `${url.replace(/\/+$/, '').replace(/\/v2$/, '')}/v2`,
    fetch: rest.fetch ?? ((...request) => fetch(...request)),
    token: async () => (typeof token === 'function' ? token() : token),
    timeoutMs,
    retryForMs,
  };
  return connection;
}

function buildAddress(template: string, { path = {}, query = {} }: Untyped) {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined || value === '') throw new TypeError(`${template}: path.${name} is missing`);
    // URL parsers resolve `.` and `..`, even percent-encoded: the call would reach another
    // resource.
    if (value === '.' || value === '..')
      throw new TypeError(`${template}: path.${name} must not be "${value}"`);
    return encodeURIComponent(value);
  });
  const given: unknown = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given as [string, string][]).toString();
  return search ? `${filled}?${search}` : filled;
}

function serializeBody(body: unknown): string | undefined {
  return typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
}

function idempotencyHeader(method: string, key: string | undefined): Record<string, string> {
  return method === 'POST' ? { 'idempotency-key': key ?? crypto.randomUUID() } : {};
}

function contentTypeHeader(body: unknown): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' };
}

const PAGE = 200;
/** Highest offset of a list (spec 9.1). */
const MAX_OFFSET = 1_000;

type ListedRecord = Record<string, unknown>;

/**
 * Yields the records of a list. With a unique sort field each page starts after the last value: the
 * offset limit does not apply and no record repeats. New records may be missed.
 */
async function* pages(
  call: (name: string, given: Untyped) => Promise<unknown>,
  name: string,
  given: Untyped = {},
): AsyncGenerator<ListedRecord, void, undefined> {
  const { sort = 'id', ...query } = given.query ?? {};
  const limit = Number(query['limit'] ?? PAGE);
  const [, sign = '', field = ''] = /^(-?)(.*)$/.exec(String(sort)) ?? [];
  const keyed = isCursorField(field, name, query);
  for (let at = 0, last: string | number | undefined; ; at += limit) {
    if (!keyed && at > MAX_OFFSET) throw new RangeError(offsetLimitMessage(String(sort)));
    const place = keyed
      ? { sort, ...after(last) }
      : { ...(given.query?.['sort'] ? { sort } : {}), offset: at };
    const page = (await call(name, { ...given, query: { ...query, limit, ...place } })) as ListedRecord[];
    yield* page;
    if (page.length < limit) return;
    last = page.at(-1)?.[field] as string | number | undefined;
  }

  function after(last: string | number | undefined): Record<string, string> {
    return last === undefined ? {} : { [field]: `${sign ? '<' : '>'}${last}` };
  }
}

/** Returns whether pages can start after the last value of the field. */
function isCursorField(field: string, name: string, query: ListedRecord): boolean {
  if (query['q'] !== undefined || query['offset'] !== undefined || query[field] !== undefined) return false;
  const inOne = name === 'GET /conversations/{id}/messages' || /^\w+$/.test(String(query['conversation']));
  return field === 'id' || (field === 'sequence' && inOne && /messages$/.test(name));
}

function offsetLimitMessage(sort: string): string {
  return `A list sorted by ${sort} ends behind offset ${MAX_OFFSET}: sort it by id, or ask for less.`;
}
