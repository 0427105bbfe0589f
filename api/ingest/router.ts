import { createHash, timingSafeEqual } from 'node:crypto';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { DomainError, notFound, invalidRequest } from '../../domain/errors.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { findByIngestToken } from '../../store/records/eventtypes.ts';
import type { RequestState } from '../middleware/observe.ts';
import { parseMediaType, receiveBody } from '../pipeline/body.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import {
  MULTIPART_TYPE,
  buildEventContext,
  readEvent,
  readMultipartForm,
  readSignedEvent,
} from '../pipeline/event-body.ts';
import type { SentEvent } from '../pipeline/event-body.ts';
import { keyDigest } from '../pipeline/idempotency.ts';
import { sendResponse } from '../pipeline/response.ts';
import type { Api } from '../request.ts';
import type { Principal } from '../../application/auth/principal.ts';
import type { RequestCounter } from '../limits/rate-limit.ts';
import { createAccept } from './accept.ts';
import type { AcceptPost } from './accept.ts';
import { isToken, loadSender, tokenDigest, ingestKey } from './addresses.ts';
import type { IngestEventType } from './addresses.ts';
import { createIngestLimit } from './limit.ts';
import type { IngestLimit } from './limit.ts';
import { verifySignature } from './signatures.ts';

type Ctx = Context & { state: RequestState; params: Record<string, string> };

interface IngestRequest {
  ctx: Ctx;
  type: IngestEventType;
  principal: Principal;
}

/**
 * Serves `POST /in/{token}`: an event of the address's bot (spec 8.9). With GET, HEAD and OPTIONS,
 * senders check the address. A signed address returns a challenge only to a signed post.
 */
export function ingestRouter(api: Api, count: RequestCounter): Router<RequestState> {
  const limit = createIngestLimit(api.config.rateLimits, count);
  const encryption = createEncryption(api.config.authSecret);
  const accept = createAccept(api, encryption);
  const router = new Router<RequestState>({ sensitive: true });
  const serve = (method: 'get' | 'options' | 'post', respond: (request: IngestRequest) => unknown) =>
    router[method]('/in/:token', async (context) => {
      const ctx = context as unknown as Ctx;
      ctx.state.pattern = '/in/:token';
      const type = await findIngestEventType(ctx, limit);
      const principal = { ...(await loadSender(type)), trace: ctx.state.trace };
      ctx.state.principal = principal;
      await respond({ ctx, type, principal });
    });
  serve('get', ({ ctx, type }) => {
    const { verifyToken } = type.ingest;
    if (verifyToken !== undefined) assertVerifyToken(ctx.query, encryption.decrypt(verifyToken));
    const isTrusted = verifyToken !== undefined || !isSigned(type);
    returnChallenge(ctx, isTrusted ? readGetChallenge(ctx.query) : null);
  });
  serve('options', ({ ctx, type }) => {
    const origin = isSigned(type) ? null : requestedOrigin(ctx.get('WebHook-Request-Origin'));
    ctx.set('Allow', 'GET, HEAD, POST, OPTIONS');
    if (origin !== null) ctx.set('WebHook-Allowed-Origin', origin);
    const perMinute = api.config.rateLimits.perKey * 60;
    if (origin !== null && ctx.get('WebHook-Request-Rate') !== '') {
      ctx.set('WebHook-Allowed-Rate', perMinute === 0 ? '*' : String(perMinute));
    }
    ctx.status = origin === null ? 204 : 200;
    if (origin !== null) ctx.body = '';
  });
  serve('post', async (request) => {
    const { ctx, type } = request;
    const bytes = await receiveBody(ctx);
    if (isSigned(type) && isPing(bytes)) {
      returnChallenge(ctx, null);
      return;
    }
    checkSignature(type, { ctx, bytes, encryption, api });
    const asked = isSigned(type) ? null : readEmptyPostChallenge(ctx.query, bytes);
    const challenge = asked ?? readBodyChallenge(bytes);
    const code = isSigned(type) ? null : readValidationCode(bytes);
    if (challenge !== null) returnChallenge(ctx, challenge);
    else if (code !== null)
      returnChallenge(ctx, JSON.stringify({ validationResponse: code }), 'application/json');
    else sendResponse(ctx, await postEvent({ ...request, bytes }, accept));
  });
  return router;
}

async function findIngestEventType(ctx: Ctx, limit: IngestLimit): Promise<IngestEventType> {
  const token = ctx.params['token'] ?? '';
  const digest = tokenDigest(token);
  const found = isToken(token) ? await limit.find(ctx, digest, () => findByIngestToken(digest)) : null;
  if (found?.ingest) return found as IngestEventType;
  await limit.countMiss(ctx);
  throw notFound('The ingest address');
}

function isSigned({ ingest }: IngestEventType): boolean {
  return ingest.secret !== undefined;
}

/** Responds with text that browsers do not render as HTML (`nosniff`). */
function returnChallenge(ctx: Ctx, challenge: string | null, type = 'text/plain; charset=utf-8'): void {
  ctx.status = challenge === null ? 204 : 200;
  if (challenge === null) return;
  ctx.type = type;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = challenge;
}

function checkSignature(
  { _id, ingest: { secret: sealed, signature = 'standard-webhooks' } }: IngestEventType,
  { ctx, bytes, encryption, api }: { ctx: Ctx; bytes: Buffer; encryption: Encryption; api: Api },
): void {
  if (sealed === undefined) return;
  const secret = encryption.decrypt(sealed);
  if (secret === null) {
    api.log.warn({ eventtype: _id }, 'the secret of an ingest address is sealed under another AUTH_SECRET');
    throw new DomainError('unauthenticated', 'Create the address again: its secret cannot be read.');
  }
  const url = `${api.config.publicUrl}${ctx.originalUrl}`;
  verifySignature(signature, secret, { header: (name) => ctx.get(name), bytes, now: storeNow(), url });
}

async function readPost(ctx: Ctx, { ingest }: IngestEventType, bytes: Buffer): Promise<SentEvent> {
  if (ingest.signature) return readSignedEvent(ctx, bytes);
  if (parseMediaType(ctx.get('Content-Type')).type !== MULTIPART_TYPE) return readEvent(ctx, bytes);
  const { files, ...sent } = await readMultipartForm(ctx, bytes);
  if (files.length > 0) ctx.set('X-Hint', describeFiles(files));
  return sent;
}

const MAX_NAMED_FILES = 10;

function describeFiles(files: string[]): string {
  const names = files
    .slice(0, MAX_NAMED_FILES)
    .map((name) => name.replace(/[^\x20-\x7e]/g, '?').slice(0, 80));
  const more = files.length - names.length;
  return `Files are left out, only text fields are read: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

async function postEvent(
  { ctx, type, bytes, principal }: IngestRequest & { bytes: Buffer },
  accept: AcceptPost,
) {
  const { name, _id, ingest } = type;
  const header = (field: string) => ctx.get(field);
  const sent = await readPost(ctx, type, bytes);
  const key = ingestKey({ signature: ingest.signature, name, header, bytes, sent });
  const caller = `ingest ${_id}`;
  const event = {
    context: buildEventContext(ctx, sent),
    key: key && { ...key, digest: keyDigest(caller, key) },
  };
  const { receivedAt } = ctx.state;
  const request = { ...EMPTY_REQUEST, params: { name }, body: sent.body, receivedAt, principal, event };
  return accept({ type: _id, caller, key, buildRequest: (ids) => ({ ...request, ids }) });
}

const EMPTY_REQUEST = {
  id: '',
  querystring: '',
  ifMatch: '',
  wanted: { range: '', ifRange: '', ifNoneMatch: '' },
  client: {
    address: '',
    token: '',
    cookies: '',
    csrfToken: '',
    lastEventId: '',
    languages: '',
    origin: '',
    host: '',
    isLocal: false,
  },
} as const;

/** Matches tokens, and the sentence that Microsoft Graph sends. */
const CHALLENGE = /^[\w .,:;~+/=@%-]{1,512}$/;

const MAX_BYTES = 8 * 1024;

const PING = /^webhook_id=\d{1,20}$/;

/** Matches the unsigned post with which WooCommerce checks an address before it keeps it. */
function isPing(bytes: Buffer): boolean {
  return bytes.length <= 40 && PING.test(bytes.toString('latin1'));
}

type SentQuery = Readonly<Record<string, string | string[] | undefined>>;

/** Throws DomainError `forbidden` for a challenge of Meta with another verify token (spec 8.9). */
function assertVerifyToken(query: SentQuery, expected: string | null): void {
  if (query['hub.mode'] === undefined) return;
  const given = query['hub.verify_token'];
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (expected !== null && typeof given === 'string' && timingSafeEqual(digest(given), digest(expected)))
    return;
  throw new DomainError('forbidden', 'The verify token is not the token of the address.');
}

function readGetChallenge(query: SentQuery): string | null {
  return query['hub.mode'] === 'subscribe' && query['hub.challenge'] !== undefined
    ? checkChallenge(query['hub.challenge'], 'hub.challenge')
    : readQueryChallenge(query, 'challenge');
}

/** Returns `validationToken` (Microsoft Graph). */
function readEmptyPostChallenge(query: SentQuery, bytes: Buffer): string | null {
  return bytes.length === 0 ? readQueryChallenge(query, 'validationToken') : null;
}

/** Returns the challenge of `url_verification` (Slack). */
function readBodyChallenge(bytes: Buffer): string | null {
  if (bytes.length > MAX_BYTES || !bytes.includes('url_verification')) return null;
  const { type, challenge } = parseChallengeBody<{ type?: unknown; challenge?: unknown }>(bytes);
  return type === 'url_verification' && challenge !== undefined
    ? checkChallenge(challenge, 'challenge')
    : null;
}

const VALIDATION = 'Microsoft.EventGrid.SubscriptionValidationEvent';

/** Returns the code of the event with which Azure Event Grid validates an address in its schema. */
function readValidationCode(bytes: Buffer): string | null {
  if (bytes.length > MAX_BYTES || !bytes.includes(VALIDATION)) return null;
  type Event = { eventType?: unknown; data?: { validationCode?: unknown } } | null;
  const { 0: event } = parseChallengeBody<{ 0?: Event }>(bytes);
  const code = event?.eventType === VALIDATION ? event.data?.validationCode : undefined;
  return code === undefined ? null : checkChallenge(code, '0.data.validationCode');
}

/** Returns `WebHook-Request-Origin` (CloudEvents, as of Azure Event Grid). */
function requestedOrigin(header: string): string | null {
  if (header === '') return null;
  if (/^[\w.:*-]{1,255}$/.test(header)) return header;
  throw invalidRequest('WebHook-Request-Origin', 'must be a host name');
}

function readQueryChallenge(query: SentQuery, name: string): string | null {
  return query[name] === undefined ? null : checkChallenge(query[name], name);
}

function checkChallenge(challenge: unknown, path: string): string {
  if (typeof challenge === 'string' && CHALLENGE.test(challenge)) return challenge;
  throw invalidRequest(path, 'must be a text of 1 to 512 letters, digits and the characters of tokens');
}

function parseChallengeBody<T extends object>(bytes: Buffer): Partial<T> {
  try {
    return (JSON.parse(bytes.toString()) as T | null) ?? {};
  } catch {
    return {};
  }
}
