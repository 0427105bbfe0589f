import type { Context, Middleware } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { preconditionFailed } from '../../domain/refusal.ts';
import { includesScope } from '../../domain/scope.ts';
import { addressOwner, isLocalRequest } from '../../platform/http/client-address.ts';
import { assertSession } from '../resources/auth/credentials.ts';
import { NO_STORE } from '../middleware/cache-control.ts';
import type { RequestState } from '../middleware/observe.ts';
import type { Principal } from '../../application/auth/principal.ts';
import type { Api, Client, EventSent, OpenRequest } from '../request.ts';
import type { Route } from '../route.ts';
import { ignoredFields } from '../../application/schema/ignored-fields.ts';
import { parseEventJson, parseJson, requireStorableText } from '../../application/schema/json.ts';
import { createPublish } from './publish.ts';
import type { Publish } from './publish.ts';
import { readBody, receiveBody } from './body.ts';
import { assertValidIfMatch } from './etag.ts';
import { readEvent } from './event-body/event-body.ts';
import type { CloudEvent } from './event-body/cloud-event.ts';
import { buildHintHeader, collectHints, buildIgnoredHeader } from './ignored-header.ts';
import type { FieldPath } from './ignored-header.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { cloudEventKey, headerKey, keyDigest } from './request-key.ts';
import type { RequestKey } from './request-key.ts';
import { randomIds } from '../../application/posting/id-generator.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import { readCredential, assertOwnPageRequest } from './credential.ts';
import type { Credential } from './credential.ts';
import { pathParams } from './path-params.ts';
import { createRecordCheck } from './record-rows.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import { serializeResponse } from './written.ts';
import type { SerializedResponse } from './written.ts';

interface PipelineContext {
  row: Route;
  showsRecord: (row: Route) => boolean;
  encryption: Encryption;
  runAndPublish: Publish;
}

type Ctx = Context & { state: RequestState; params: Record<string, string> };

/**
 * What a request passes once its route is known: token, scope, body, Idempotency-Key; then the
 * handler, and the event that tells of what it did. Each gate refuses before the next one has done
 * anything.
 */
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
    const given = await parseBody(ctx, row);
    rejectIfMatchWithoutEtag(ctx, row);
    const request: OpenRequest = {
      id: params['id'] ?? '',
      params,
      querystring: credential.querystring,
      body: given.body,
      ifMatch: ctx.get('If-Match'),
      receivedAt: ctx.state.receivedAt,
      ids: randomIds,
      client: buildClient(ctx, credential.token),
    };
    const answer = await run({ row, encryption, runAndPublish, showsRecord }, ctx, {
      ...given,
      request,
      principal,
    });
    ctx.status = answer.status;
    ctx.set(answer.headers);
    if (answer.body !== undefined) ctx.body = answer.body;
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
  const { trace } = ctx.state;
  const principal = trace === undefined ? known : { ...known, trace };
  ctx.state.principal = principal;
  const own = [principal.user, 'me'].includes(ctx.params['id'] ?? '');
  const needed = (own && row.self) || row.scope;
  if (needed && !includesScope(principal.scope, needed)) {
    throw new DomainError('forbidden', `This needs scope ${needed}; you have ${principal.scope}.`);
  }
  if (row.session) assertSession(principal);
  return principal;
}

// Of what has no tag none can be true (spec 2).
function rejectIfMatchWithoutEtag(ctx: Ctx, { method, path, answer }: Route): void {
  const isChange = method === 'PATCH' || method === 'DELETE';
  if (isChange) assertValidIfMatch(ctx.req.headers['if-match']);
  if (!isChange || answer || /^\/\w+\/:id$/.test(path)) return;
  if (!['', '*'].includes(ctx.get('If-Match').trim())) throw preconditionFailed();
}

interface PipelineRequest {
  request: OpenRequest;
  principal: Principal | undefined;
}

interface ParsedBody {
  /** As it was checked: without what is ignored. */
  body: unknown;
  /** As it was sent, read. */
  sent: unknown;
  ignored: FieldPath[];
  /** What a business event says of itself. */
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
  // Before the check: a field that is missing may be one that was mistyped.
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

function run(
  { row, encryption, runAndPublish, showsRecord }: PipelineContext,
  ctx: Ctx,
  { request, principal, ignored, ...given }: ParsedBody & PipelineRequest,
): Promise<SerializedResponse> {
  const key = row.creates && principal ? readRequestKey(ctx, row, given) : undefined;
  const caller = principal ? formatCaller(principal) : '';
  const event = row.eventTypes && buildEventSent(given, key && { ...key, digest: keyDigest(caller, key) });
  const asked = { ...request, ...(principal ? { principal } : {}), ...(event ? { event } : {}) };
  const runWith = async (ids: IdGenerator) => {
    const answer = await runAndPublish(row, { ...asked, ids });
    const named = buildIgnoredHeader([...ignored, ...(answer.ignored ?? [])]);
    const hints = buildHintHeader([...collectHints(row.body, ignored), ...(answer.hints ?? [])]);
    return serializeResponse(
      { ...answer, headers: { ...answer.headers, ...named, ...hints } },
      showsRecord(row),
    );
  };
  return key ? withIdempotencyKey({ ...key, caller, run: runWith }, encryption) : runWith(request.ids);
}

function readRequestKey(
  ctx: Ctx,
  row: Route,
  { sent, cloudEvent }: Omit<ParsedBody, 'ignored' | 'body'>,
): RequestKey | undefined {
  if (cloudEvent) return cloudEventKey(cloudEvent, ctx.params['name'] ?? cloudEvent.type);
  const key = ctx.get('Idempotency-Key');
  if (key === '') return undefined;
  return headerKey(key, `${row.method} ${ctx.path} ${canonicalJson(sent)}`);
}

function buildEventSent({ cloudEvent }: Pick<ParsedBody, 'cloudEvent'>, key: EventSent['key']): EventSent {
  return { ...(cloudEvent ? { type: cloudEvent.type } : {}), ...(key ? { key } : {}) };
}

// Whoever has moved to another organization, or has another scope, is another caller: an answer is
// shown to nobody who might not get it now.
function formatCaller({ user, organization, scope }: Principal): string {
  return `${user} ${organization} ${scope}`;
}
