import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadlines } from '../../platform/config/deadlines.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { DomainError, isRefusal, unavailable, unprocessable, invalidRequest } from '../../domain/errors.ts';
import {
  claimKey,
  extendClaim,
  storeResponse,
  releaseKey,
  yieldKey,
} from '../../store/cluster/idempotency.ts';
import type { ClaimedKey, IdempotencyDocument } from '../../store/cluster/idempotency.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import { createSeededIds, newSeed } from '../../application/posting/id-generator.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import type { CloudEvent } from './event-body.ts';
import type { HandlerResult, SerializedResponse } from '../request.ts';
import { serializeResponse } from './response.ts';

const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;

export interface KeyedRequest extends Pick<RequestKey, 'key' | 'identity' | 'from'> {
  /** User, organization and scope, or ingest address. */
  caller: string;
  /** `receivedAt`: when the first request with the key was received, in ISO 8601. */
  run: (ids: IdGenerator, receivedAt: string) => Promise<SerializedResponse>;
  /** Returns whether a successful response is final. Default: yes. */
  isFinal?: () => boolean;
}

type KeyTimes = Pick<Deadlines, 'repeatedRequest' | 'keyClaim' | 'keyClaimExtension'>;

const leaders = new Map<string, Promise<SerializedResponse>>();

/**
 * Runs a request, or returns the response of an earlier success of the same request (caller, key
 * and identity) within 24 hours (spec 2.8). If the same request is running, waits for it until the
 * deadline. Stores only final 2xx responses, so a failed request can be repeated. Throws
 * DomainError `unprocessable` if the key belongs to a request with another identity.
 */
export async function withIdempotencyKey(
  request: KeyedRequest,
  encryption: Encryption,
  times: KeyTimes,
): Promise<SerializedResponse> {
  const deadline = performance.now() + times.repeatedRequest;
  const name = digest(`${request.caller} ${request.key} ${request.identity}`);
  for (let ahead = leaders.get(name); ahead; ahead = leaders.get(name)) {
    const left = deadline - performance.now();
    const answer = await withTimeout(ahead, left, () => Promise.reject(unavailable())).catch(() => null);
    if (answer && answer.status < 300) return markReplayed(withoutOnce(answer));
    if (performance.now() >= deadline) throw unavailable();
  }
  const leading = claimAndRun(request, encryption, { ...times, deadline });
  leaders.set(name, leading);
  try {
    return await leading;
  } finally {
    leaders.delete(name);
  }
}

async function claimAndRun(
  request: KeyedRequest,
  encryption: Encryption,
  { deadline, ...times }: KeyTimes & { deadline: number },
): Promise<SerializedResponse> {
  const id = digest(`${request.caller} ${request.key}`);
  const identity = digest(request.identity);
  for (let pollMs = FIRST_POLL_MS; performance.now() < deadline; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const claim = await claimKey({ id, request: identity, seed: newSeed() }, times.keyClaim);
    const answer = claim?.mine
      ? await runAndStore(request, claim.record, { encryption, times })
      : claim && readStoredResponse(claim.record, request, encryption);
    if (answer) return answer;
    await sleep(pollMs);
  }
  throw unavailable();
}

/** Returns null if the request was rejected here after another process took over the key. */
async function runAndStore(
  { run, isFinal = () => true }: KeyedRequest,
  key: ClaimedKey,
  { encryption, times }: { encryption: Encryption; times: KeyTimes },
): Promise<SerializedResponse | null> {
  const extend = () => void extendClaim(key, times.keyClaim).catch(() => undefined);
  const extensions = setInterval(extend, times.keyClaimExtension);
  try {
    const answer = await run(createSeededIds(key.seed), key.createdAt.toISOString());
    if (answer.status < 300 && isFinal())
      await storeResponse(key, encryption.encrypt(toCacheEntry(withoutOnce(answer))));
    else await releaseKey(key);
    return answer;
  } catch (error) {
    if (!isRefusal(error)) await yieldKey(key);
    else if (!(await releaseKey(key))) return null;
    throw error;
  } finally {
    clearInterval(extensions);
  }
}

function readStoredResponse(
  record: IdempotencyDocument,
  request: KeyedRequest,
  encryption: Encryption,
): SerializedResponse | null {
  const { identity, from } = request;
  if (digest(identity) !== record.request) throw unprocessable('was used for another request', from);
  if (record.answer === undefined) return null;
  const opened = encryption.decrypt(record.answer);
  if (opened === null) {
    throw new DomainError(
      'conflict',
      `The request with this ${from} was processed, but its stored response was encrypted with another AUTH_SECRET and cannot be read.`,
    );
  }
  return markReplayed(fromCacheEntry(opened));
}

function withoutOnce({ once, ...answer }: SerializedResponse): SerializedResponse {
  if (!once || typeof answer.body !== 'string') return answer;
  const fields = Object.entries(JSON.parse(answer.body) as object).filter(([name]) => !once.includes(name));
  return { ...answer, body: JSON.stringify(Object.fromEntries(fields)) };
}

function markReplayed(answer: SerializedResponse): SerializedResponse {
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const KEY = /^[\x21-\x7e]{1,128}$/;

/** See spec 2.8, 8.8. */
export interface RequestKey {
  key: string;
  /** Equal in all repetitions of a request. */
  identity: string;
  /** For error messages. */
  from: string;
  /** The key is a sender's event id, or a digest of a signed body. */
  isSenders?: true;
  /** The key is a digest, so a sender may mean another event by the same bytes on another day. */
  isDigest?: true;
}

export function headerKey(key: string, identity: string): RequestKey | undefined {
  if (key === '') return undefined;
  if (!KEY.test(key)) throw invalidRequest('Idempotency-Key', 'must be 1 to 128 visible characters');
  return { key, identity, from: 'Idempotency-Key' };
}

export function cloudEventKey({ id, source }: CloudEvent, name: string): RequestKey {
  return senderKey('cloudevent', JSON.stringify([source, id]), { name, from: 'id' });
}

/**
 * Leaves the body out of the identity: senders change counters, times and field order when they
 * repeat an event.
 */
export function senderKey(
  kind: string,
  id: string,
  { name, from }: { name: string; from: string },
): RequestKey {
  return { key: `${kind} ${id}`, identity: `event ${name}`, from, isSenders: true };
}

export function keyDigest(caller: string, { key, identity }: RequestKey): string {
  return createHash('sha256')
    .update(JSON.stringify([caller, key, identity]))
    .digest('hex');
}

export function toCacheEntry({ body, ...head }: SerializedResponse): string {
  const text = JSON.stringify(head);
  return typeof body === 'string' ? `${text.slice(0, -1)},"body":${body}}` : text;
}

function fromCacheEntry(record: string): SerializedResponse {
  return serializeResponse(JSON.parse(record) as HandlerResult);
}
