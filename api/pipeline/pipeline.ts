import type { Context, Middleware } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import { invalidRequest, preconditionFailed } from '../../domain/refusal.ts';
import { includesScope } from '../../domain/scope.ts';
import { addressOwner } from '../../http/client-address.ts';
import { bearerToken } from '../resources/auth/bearer.ts';
import { requireSession } from '../resources/auth/credentials.ts';
import { tokenOfTicket } from '../resources/auth/stream-ticket.ts';
import { NO_STORE } from '../middleware/cache-control.ts';
import type { RequestState } from '../middleware/observe.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Api, Client, OpenRequest } from '../request.ts';
import type { Route } from '../route.ts';
import { ignoredFields } from '../../schema/ignored-fields.ts';
import { parseJson, storableText } from '../../schema/json.ts';
import { createPublish } from './publish.ts';
import type { Publish } from './publish.ts';
import { readBody } from './body.ts';
import { ignoredFieldsHeader } from './ignored-header.ts';
import type { FieldPath } from './ignored-header.ts';
import { onceForKey } from './idempotency.ts';
import { randomIds } from '../../posting/id-generator.ts';
import type { IdGenerator } from '../../posting/id-generator.ts';
import { pathParams } from './path-params.ts';
import { recordRows } from './record-rows.ts';
import { createEncryption } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { written } from './written.ts';
import type { Written } from './written.ts';

interface Gates {
  row: Route;
  showsRecord: (row: Route) => boolean;
  seal: Encryption;
  announced: Publish;
}

type Ctx = Context & { state: RequestState; params: Record<string, string> };

/**
 * What a request passes once its route is known: token, scope, body, Idempotency-Key; then the
 * handler, and the event that tells of what it did. Each gate refuses before the next one has done
 * anything.
 */
export function pipelineOf(api: Api, rows: readonly Route[]): (row: Route) => Middleware<RequestState> {
  const seal = createEncryption(api.config.authSecret);
  const announced = createPublish(api, rows);
  const showsRecord = recordRows(rows);
  return (row) => async (context) => {
    const ctx = context as Ctx;
    ctx.state.pattern = row.path;
    if (row.secret) ctx.set(NO_STORE);
    const { token, querystring } = await credentialOf(ctx, row, api);
    const principal = row.scope === null ? undefined : await admit(ctx, row, { api, token });
    const params = pathParams(row, ctx.params, principal);
    const { body, raw, ignored } = await bodyOf(ctx, row);
    refuseTagless(ctx, row);
    const request: OpenRequest = {
      id: params['id'] ?? '',
      params,
      querystring,
      body,
      ifMatch: ctx.get('If-Match'),
      receivedAt: ctx.state.receivedAt,
      mint: randomIds,
      client: clientOf(ctx, token),
    };
    const answer = await run({ row, seal, announced, showsRecord }, ctx, {
      request,
      principal,
      raw,
      ignored,
    });
    ctx.status = answer.status;
    ctx.set(answer.headers);
    if (answer.body !== undefined) ctx.body = answer.body;
  };
}

interface Credential {
  /** Empty without one. */
  token: string;
  /** What the request asks besides. */
  querystring: string;
}

/**
 * The token of the header or, where a row takes one and there is no header, what the ticket of the
 * query stands for.
 */
async function credentialOf(ctx: Ctx, row: Route, { authority }: Api): Promise<Credential> {
  const { querystring } = ctx;
  const token = bearerToken(ctx.get('Authorization')) ?? '';
  const query = new URLSearchParams(querystring);
  const [ticket, ...others] = query.getAll('ticket');
  if (!row.ticket || token !== '' || ticket === undefined) return { token, querystring };
  if (others.length > 0) throw invalidRequest('ticket', 'must not be repeated');
  query.delete('ticket');
  const conversation = ctx.params['id'] ?? '';
  return {
    token: await tokenOfTicket({ ticket, conversation }, authority),
    querystring: query.toString(),
  };
}

async function admit(ctx: Ctx, row: Route, { api, token }: { api: Api; token: string }): Promise<Principal> {
  if (token === '')
    throw new DomainError('unauthenticated', 'Send your token as Authorization: Bearer <token>.');
  const known = await api.authority.authenticate(token);
  const { trace } = ctx.state;
  const principal = trace === undefined ? known : { ...known, trace };
  ctx.state.principal = principal;
  const own = [principal.user, 'me'].includes(ctx.params['id'] ?? '');
  const needed = (own && row.self) || row.scope;
  if (needed && !includesScope(principal.scope, needed)) {
    throw new DomainError('forbidden', `This needs scope ${needed}; you have ${principal.scope}.`);
  }
  if (row.session) requireSession(principal);
  return principal;
}

// Of what has no tag none can be true (spec 2).
function refuseTagless(ctx: Ctx, { method, path, answer }: Route): void {
  const isChange = method === 'PATCH' || method === 'DELETE';
  if (!isChange || answer || /^\/\w+\/:id$/.test(path)) return;
  if (!['', '*'].includes(ctx.get('If-Match').trim())) throw preconditionFailed();
}

interface Asked {
  request: OpenRequest;
  principal: Principal | undefined;
}

interface GivenBody {
  body: unknown;
  raw: string;
  ignored: FieldPath[];
}

async function bodyOf(ctx: Ctx, row: Route): Promise<GivenBody> {
  if (!row.body || !row.checkBody) return { body: undefined, raw: '', ignored: [] };
  const raw = await readBody(ctx, row.bodyType);
  if (row.bodyType === 'text/plain') return { body: row.checkBody(storableText(raw)), raw, ignored: [] };
  const value = parseJson(raw);
  const ignored = ignoredFields(row.body, value);
  // Before the check: a field that is missing may be one that was mistyped.
  ctx.set(ignoredFieldsHeader(ignored));
  return { body: row.checkBody(value), raw, ignored };
}

function clientOf(ctx: Ctx, token: string): Client {
  return {
    address: addressOwner(ctx.ip),
    token,
    lastEventId: ctx.get('Last-Event-ID'),
    languages: ctx.get('Accept-Language'),
  };
}

function run(
  { row, seal, announced, showsRecord }: Gates,
  ctx: Ctx,
  { request, principal, raw, ignored }: Pick<GivenBody, 'raw' | 'ignored'> & Asked,
): Promise<Written> {
  const key = ctx.get('Idempotency-Key');
  const runWith = async (mint: IdGenerator) => {
    const answer = await announced(row, { ...request, mint, ...(principal ? { principal } : {}) });
    const named = ignoredFieldsHeader([...ignored, ...(answer.ignored ?? [])]);
    return written({ ...answer, headers: { ...answer.headers, ...named } }, showsRecord(row));
  };
  if (!row.creates || !principal || key === '') return runWith(request.mint);
  const identity = `${row.method} ${ctx.path} ${raw}`;
  return onceForKey({ key, caller: callerOf(principal), identity, run: runWith }, seal);
}

// Whoever has moved to another organization, or has another scope, is another caller: an answer is
// shown to nobody who might not get it now.
function callerOf({ user, organization, scope }: Principal): string {
  return `${user} ${organization} ${scope}`;
}
