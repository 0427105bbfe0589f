import type { Context, Middleware } from 'koa';
import { DomainError, preconditionFailed, invalidRequest } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/json.ts';
import { parseId } from '../../domain/id.ts';
import { includesScope } from '../../domain/scope.ts';
import { addressOwner, isLocalRequest } from '../../platform/http/client-address.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import { randomIds } from '../../application/posting/id-generator.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import { ignoredFields } from '../../schema/ignored-fields.ts';
import { parseEventJson, parseJson, requireStorableText } from '../../schema/json.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { assertCsrfToken, parseSessionTokens } from '../console/session.ts';
import { NO_STORE } from '../middleware/represent.ts';
import type { RequestState } from '../middleware/observe.ts';
import { assertSession } from '../resources/auth/credentials.ts';
import { bearerToken } from '../resources/auth/schema.ts';
import { redeemTicket } from '../resources/auth/stream-ticket.ts';
import type { Api, Client, FieldPath, OpenRequest } from '../request.ts';
import type { Route } from '../route.ts';
import { readBody, receiveBody } from './body.ts';
import { readEvent } from './event-body.ts';
import type { CloudEvent } from './event-body.ts';
import { withIdempotencyKey, cloudEventKey, headerKey, keyDigest } from './idempotency.ts';
import type { RequestKey } from './idempotency.ts';
import { createPublish } from './publish.ts';
import {
  assertValidIfMatch,
  buildHintHeader,
  buildIgnoredHeader,
  collectHints,
  createRecordCheck,
  sendResponse,
  serializeResponse,
} from './response.ts';

type Ctx = Context & { state: RequestState; params: Record<string, string> };

/** Serves the routes. Each step rejects a request before the next step has an effect. */
export function createPipeline(api: Api, rows: readonly Route[]): (row: Route) => Middleware<RequestState> {
  const encryption = createEncryption(api.config.authSecret);
  const runAndPublish = createPublish(api, rows);
  const showsRecord = createRecordCheck(rows);
  return (row) => async (context) => {
    const ctx = context as Ctx;
    ctx.state.pattern = row.path;
    if (row.secret) ctx.set(NO_STORE);
    const credential = await readCredential(ctx, row, api);
    const principal = row.scope === null ? undefined : await authorize(ctx, row, { api, credential });
    const params = pathParams(row, ctx.params, principal);
    const { body, sent, ignored, cloudEvent } = await parseBody(ctx, row);
    rejectIfMatchWithoutEtag(ctx, row);
    const key = row.creates && principal ? readRequestKey(ctx, row, { sent, cloudEvent }) : undefined;
    const caller = principal ? formatCaller(principal) : '';
    const request: Omit<OpenRequest, 'ids'> = {
      id: params['id'] ?? '',
      params,
      querystring: credential.querystring,
      body,
      ifMatch: ctx.get('If-Match'),
      receivedAt: ctx.state.receivedAt,
      client: buildClient(ctx, credential.token),
      principal,
      event: row.eventTypes && {
        type: cloudEvent?.type,
        key: key && { ...key, digest: keyDigest(caller, key) },
      },
    };
    const run = async (ids: IdGenerator) => {
      const answer = await runAndPublish(row, { ...request, ids });
      const named = buildIgnoredHeader([...ignored, ...(answer.ignored ?? [])]);
      const hints = buildHintHeader([...collectHints(row.body, ignored), ...(answer.hints ?? [])]);
      const headers = { ...answer.headers, ...named, ...hints };
      return serializeResponse({ ...answer, headers }, showsRecord(row));
    };
    sendResponse(
      ctx,
      key ? await withIdempotencyKey({ ...key, caller, run }, encryption) : await run(randomIds),
    );
  };
}

async function authorize(
  ctx: Ctx,
  row: Route,
  { api, credential }: { api: Api; credential: Credential },
): Promise<Principal> {
  if (credential.token === '')
    throw new DomainError('unauthenticated', 'Send your token as Authorization: Bearer <token>.');
  const known = await api.authority.authenticate(credential.token);
  if (credential.isCookie) assertOwnPageRequest(ctx, known, api.config.authSecret);
  const principal = { ...known, trace: ctx.state.trace };
  ctx.state.principal = principal;
  const own = [principal.user, 'me'].includes(ctx.params['id'] ?? '');
  const needed = (own && row.self) || row.scope;
  if (needed && !includesScope(principal.scope, needed)) {
    throw new DomainError('forbidden', `This needs scope ${needed}; you have ${principal.scope}.`);
  }
  if (row.session) assertSession(principal);
  return principal;
}

// A route without an ETag satisfies If-Match only with `*` (spec 2).
function rejectIfMatchWithoutEtag(ctx: Ctx, { method, path, answer }: Route): void {
  const isChange = method === 'PATCH' || method === 'DELETE';
  if (isChange) assertValidIfMatch(ctx.req.headers['if-match']);
  if (!isChange || answer || /^\/\w+\/:id$/.test(path)) return;
  if (!['', '*'].includes(ctx.get('If-Match').trim())) throw preconditionFailed();
}

interface ParsedBody {
  body: unknown;
  /** Parsed, before validation. */
  sent: unknown;
  ignored: FieldPath[];
  cloudEvent?: CloudEvent | undefined;
}

async function parseBody(ctx: Ctx, row: Route): Promise<ParsedBody> {
  if (!row.body || !row.checkBody) return { body: undefined, sent: undefined, ignored: [] };
  if (row.eventTypes) {
    const event = readEvent(ctx, await receiveBody(ctx));
    return { ...event, sent: event.body, ignored: [] };
  }
  const raw = await readBody(ctx, row.bodyType);
  if (row.bodyType === 'text/plain') {
    return { body: row.checkBody(requireStorableText(raw)), sent: raw, ignored: [] };
  }
  const sent = row.holdsEvent ? parseEventJson(raw) : parseJson(raw);
  const ignored = ignoredFields(row.body, sent);
  // Set the header before the validation: a missing field may have a mistyped name.
  ctx.set(buildIgnoredHeader(ignored));
  return { body: row.checkBody(sent), sent, ignored };
}

function buildClient(ctx: Ctx, token: string): Client {
  return {
    address: addressOwner(ctx.ip),
    token,
    lastEventId: ctx.get('Last-Event-ID'),
    languages: ctx.get('Accept-Language'),
    cookies: ctx.get('Cookie'),
    csrfToken: ctx.get('X-CSRF-Token'),
    origin: ctx.get('Origin'),
    host: ctx.get('Host'),
    isLocal: isLocalRequest(ctx.req.socket.remoteAddress, ctx.req.headers),
  };
}

function readRequestKey(
  ctx: Ctx,
  row: Route,
  { sent, cloudEvent }: Pick<ParsedBody, 'sent' | 'cloudEvent'>,
): RequestKey | undefined {
  if (cloudEvent) return cloudEventKey(cloudEvent, ctx.params['name'] ?? cloudEvent.type);
  const key = ctx.get('Idempotency-Key');
  return key === '' ? undefined : headerKey(key, `${row.method} ${ctx.path} ${canonicalJson(sent)}`);
}

// With another organization or scope, the caller may not see the stored response.
function formatCaller({ user, organization, scope }: Principal): string {
  return `${user} ${organization} ${scope}`;
}

interface Credential {
  token: string;
  /** Query without the ticket, still encoded. */
  querystring: string;
  /** The token is from a cookie, which browsers send by themselves, so a CSRF token is needed. */
  isCookie?: boolean;
}

async function readCredential(ctx: Ctx, row: Route, { authority, config }: Api): Promise<Credential> {
  const { querystring } = ctx;
  const token = bearerToken(ctx.get('Authorization')) ?? '';
  if (token !== '' || row.scope === null) return { token, querystring };
  const query = new URLSearchParams(querystring);
  const [ticket, ...others] = query.getAll('ticket');
  if (!row.ticket || ticket === undefined) {
    const tokens = parseSessionTokens(ctx.get('Cookie'), config);
    return { token: tokens?.token ?? '', querystring, isCookie: Boolean(tokens) };
  }
  if (others.length > 0) throw invalidRequest('ticket', 'must not be repeated');
  query.delete('ticket');
  const conversation = ctx.params['id'] ?? '';
  return {
    token: await redeemTicket({ ticket, conversation }, authority),
    querystring: query.toString(),
  };
}

/**
 * Throws DomainError `forbidden` without the CSRF token, which only the console's own pages can
 * read (spec 12.1).
 */
function assertOwnPageRequest(ctx: Context, { credential }: Principal, secret: string): void {
  const family = 'family' in credential ? credential.family : '';
  assertCsrfToken(ctx.get('X-CSRF-Token'), { family, secret });
}

type Params = Record<string, string>;

const DELIVERY_ID = /^[0-9a-f]{24}-\d{1,9}:[0-9a-f]{24}$/;

/**
 * Replaces `me` in `/users/me` paths by the caller's id (spec 3.7). Throws DomainError
 * `invalid_request` for an invalid id (spec 2.1).
 */
function pathParams({ path }: Pick<Route, 'path'>, given: Params, principal: Principal | undefined): Params {
  const params = { ...given };
  if (params['id'] === 'me' && principal && path.startsWith('/users/')) params['id'] = principal.user;
  for (const name of ['id', 'key']) {
    const value = params[name];
    if (value === undefined) continue;
    if (!path.startsWith('/deliveries/')) parseId(value, name);
    else if (!DELIVERY_ID.test(value)) throw invalidRequest(name, 'must be the id of a delivery');
  }
  return params;
}
