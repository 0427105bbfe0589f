import type { Context, Middleware } from 'koa';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/json.ts';
import { addressOwner, isLocalRequest } from '../../platform/http/client-address.ts';
import { ignoredFields } from '../../schema/ignored-fields.ts';
import { parseEventJson, parseJson, requireStorableText } from '../../schema/json.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { assertCsrfToken, parseSessionTokens } from '../console/session.ts';
import { NO_STORE } from '../middleware/represent.ts';
import type { RequestState } from '../middleware/observe.ts';
import { bearerToken } from '../resources/auth/schema.ts';
import { redeemTicket } from '../resources/auth/stream-ticket.ts';
import type { Api, Client, FieldPath, OpenRequest } from '../request.ts';
import type { Route } from '../route.ts';
import { openUpload } from '../files/receive.ts';
import { LINES_TYPE, hasBody, parseMediaType, readBody, receiveBody } from './body.ts';
import { buildEventContext, readEvent } from './event-body.ts';
import type { CloudEvent } from './event-body.ts';
import { cloudEventKey, headerKey, keyDigest } from './idempotency.ts';
import type { RequestKey } from './idempotency.ts';
import { MERGE_PATCH_TYPE } from './merge-patch.ts';
import { buildIgnoredHeader, sendResponse } from './response.ts';
import { createRunLine } from './run-line.ts';
import {
  assertAllowed,
  createRunRequest,
  formatCaller,
  pathParams,
  rejectIfMatchWithoutEtag,
} from './run-request.ts';
import { STRICT_APPLIED, assertNothingIgnored, prefersStrict } from './strict.ts';

type Ctx = Context & { state: RequestState; params: Record<string, string> };

/** Serves the routes. Each step rejects a request before the next step has an effect. */
export function createPipeline(api: Api, rows: readonly Route[]): (row: Route) => Middleware<RequestState> {
  const runRequest = createRunRequest(api, rows);
  const runLine = createRunLine({ rows, runRequest, authority: api.authority });
  return (row) => async (context) => {
    const ctx = context as Ctx;
    ctx.state.pattern = row.path;
    if (row.secret) ctx.set(NO_STORE);
    const credential = await readCredential(ctx, row, api);
    const principal = row.scope === null ? undefined : await authorize(ctx, row, { api, credential });
    const params = pathParams(row, ctx.params, principal);
    const isStrict = prefersStrict(ctx.get('Prefer'));
    if (isStrict) ctx.set(STRICT_APPLIED);
    const { body, sent, ignored, cloudEvent, merges } = await parseBody(ctx, row, { isStrict });
    rejectIfMatchWithoutEtag(ctx.req.headers['if-match'], row);
    const key = row.creates && principal ? readRequestKey(ctx, row, { sent, cloudEvent }) : undefined;
    const request: Omit<OpenRequest, 'ids'> = {
      id: params['id'] ?? '',
      params,
      querystring: credential.querystring,
      body,
      isStrict,
      ifMatch: ctx.get('If-Match'),
      wanted: readWanted(ctx),
      openUpload: row.takesFile ? () => openUpload(ctx) : undefined,
      receivedAt: ctx.state.receivedAt,
      client: buildClient(ctx, credential.token),
      isGone: () => ctx.method === 'HEAD' || ctx.req.socket.destroyed,
      principal,
      event: row.eventTypes && {
        context: buildEventContext(ctx, { cloudEvent }),
        type: cloudEvent?.type,
        key: key && { ...key, digest: keyDigest(formatCaller(principal), key) },
      },
    };
    if (principal && row.bodyType === LINES_TYPE) {
      const idempotencyKey = ctx.get('Idempotency-Key');
      request.runLine = (line) => runLine(line, { ...request, principal }, idempotencyKey);
    }
    sendResponse(ctx, await runRequest({ row, request, sent, ignored, merges, key }));
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
  await assertAllowed(row, principal, ctx.params['id'] ?? '');
  return principal;
}

interface ParsedBody {
  body: unknown;
  /** Parsed, before validation. */
  sent: unknown;
  ignored: FieldPath[];
  cloudEvent?: CloudEvent | undefined;
  /** A merge patch (spec 2.3): `sent` is merged with the record, then validated. */
  merges?: boolean;
}

async function parseBody(ctx: Ctx, row: Route, { isStrict }: { isStrict: boolean }): Promise<ParsedBody> {
  if (!row.body || !row.checkBody) return { body: undefined, sent: undefined, ignored: [] };
  if (row.eventTypes) {
    const event = readEvent(ctx, await receiveBody(ctx));
    return { ...event, sent: event.body, ignored: [] };
  }
  const expected = { type: row.bodyType, isOnlyUtf8: row.scope === null };
  const raw = row.bodyIsOptional && !hasBody(ctx) ? '{}' : await readBody(ctx, expected);
  if (row.bodyType === LINES_TYPE) return { body: raw, sent: raw, ignored: [] };
  if (row.bodyType === 'text/plain') {
    return { body: row.checkBody(requireStorableText(raw)), sent: raw, ignored: [] };
  }
  const sent = row.holdsEvent ? parseEventJson(raw) : parseJson(raw);
  const ignored = ignoredFields(row.body, sent);
  // Set the header before the validation: a missing field may have a mistyped name.
  ctx.set(buildIgnoredHeader(ignored));
  if (isStrict || row.refusesUnknown) assertNothingIgnored({ ignored, schema: row.body });
  const { type } = parseMediaType(ctx.get('Content-Type'));
  if (row.method === 'PATCH' && type === MERGE_PATCH_TYPE) {
    return { body: undefined, sent, ignored, merges: true };
  }
  return { body: row.checkBody(sent), sent, ignored };
}

function readWanted(ctx: Ctx): OpenRequest['wanted'] {
  return {
    range: ctx.get('Range'),
    ifRange: ctx.get('If-Range'),
    ifNoneMatch: ctx.get('If-None-Match'),
  };
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
    const tokens = parseSessionTokens(
      { cookies: ctx.get('Cookie'), csrfToken: ctx.get('X-CSRF-Token') },
      config,
    );
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
