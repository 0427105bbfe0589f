import { send } from './send.ts';
import type { ApiConnection } from './send.ts';
import { listen } from './stream.ts';
import type { StreamEvent, StreamOptions } from './stream.ts';
import type { AnswerTo, Call, CallArguments, ListCall, RecordOf, Untyped } from './types.ts';

export interface ClientOptions {
  /** Where Parlance is: `https://chat.example.com`, with or without `/v2`. */
  url: string;
  /** An API key or an access token, or what gives one: asked before every attempt. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** For one attempt, in milliseconds; default 30,000. */
  timeoutMs?: number;
  /** For how long a call is repeated that met a busy or absent Parlance; default 30,000. */
  retryForMs?: number;
  /** In place of the system's `fetch`. */
  fetch?: typeof fetch;
}

export interface Client {
  /**
   * Makes a call: `call('POST /messages', { body: { conversation, text } })`. What does no harm
   * done twice is repeated for `retryForMs`: GET, PUT, PATCH, DELETE, and POST, which gets an
   * `Idempotency-Key`; `Retry-After` is honoured. Nothing below `/auth` is repeated. Throws
   * ParlanceError, or the signal's reason.
   */
  call: <C extends Call, const G extends CallArguments<C>>(call: C, ...given: G) => Promise<AnswerTo<C, G>>;
  /**
   * Every record of a list, page by page: `for await (const one of list('GET /conversations'))`.
   * By `id`, which has no end; sorted otherwise it ends behind offset 1,000 with an error.
   */
  list: <C extends ListCall>(
    call: C,
    ...given: CallArguments<C>
  ) => AsyncGenerator<RecordOf<C>, void, undefined>;
  /**
   * What happens in a conversation, from now on or after an event's id. It comes back by itself
   * where it was, without a gap, until it is left, the signal ends it, or the right to it is gone
   * (ParlanceError).
   */
  stream: (conversation: string, options?: StreamOptions) => AsyncGenerator<StreamEvent, void, undefined>;
}

/** A client of Parlance. */
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
      // A refresh token is good once.
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
    // URLs resolve these, however they are encoded: the call would go to another resource.
    if (value === '.' || value === '..')
      throw new TypeError(`${template}: path.${name} must not be "${value}"`);
    return encodeURIComponent(value);
  });
  const given: unknown = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given as [string, string][]).toString();
  return search ? `${filled}?${search}` : filled;
}

/** A body that is text is sent as it is. */
function serializeBody(body: unknown): string | undefined {
  return typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
}

/** A POST that creates is done once under its key, however often it is sent. */
function idempotencyHeader(method: string, key: string | undefined): Record<string, string> {
  return method === 'POST' ? { 'idempotency-key': key ?? crypto.randomUUID() } : {};
}

function contentTypeHeader(body: unknown): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' };
}

const PAGE = 200;
/** The last place of a list that an offset may name (spec 9.1). */
const MAX_OFFSET = 1_000;

type ListedRecord = Record<string, unknown>;

/**
 * The records of a list, page by page. Sorted by a field that no two records share, each page is
 * asked for by the last one's value, so that the list has no end, and every record that is there
 * at the beginning comes once while the list grows. A record that is created meanwhile may be
 * missed.
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

/** Whether a list can be asked for by the last value of a field: it is unique, and no filter. */
function isCursorField(field: string, name: string, query: ListedRecord): boolean {
  if (query['q'] !== undefined || query['offset'] !== undefined || query[field] !== undefined) return false;
  const inOne = name === 'GET /conversations/{id}/messages' || /^\w+$/.test(String(query['conversation']));
  return field === 'id' || (field === 'sequence' && inOne && /messages$/.test(name));
}

function offsetLimitMessage(sort: string): string {
  return `A list sorted by ${sort} ends behind offset ${MAX_OFFSET}: sort it by id, or ask for less.`;
}
