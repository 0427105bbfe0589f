import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { DomainError } from '../../domain/errors.ts';
import { isRefusal, unavailable, unprocessable } from '../../domain/refusal.ts';
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
import type { RequestKey } from './request-key.ts';
import { toCacheEntry, fromCacheEntry } from './written.ts';
import type { SerializedResponse } from './written.ts';

const TIMEOUT_MS = 40_000;
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;
const HOLD_RENEWAL_MS = 3_000;

/** One request that a key may stand for. */
export interface KeyedRequest extends Pick<RequestKey, 'key' | 'identity' | 'from'> {
  /** Who makes it, where, and with what rights. */
  caller: string;
  run: (ids: IdGenerator) => Promise<SerializedResponse>;
}

/** The requests of this process that run or ask for an answer, by key and identity. */
const leaders = new Map<string, Promise<SerializedResponse>>();

/**
 * Runs a request at most once for its key and caller within 24 hours (spec 2.8): a repetition gets
 * the first answer, one that comes while the first runs waits for it. Only 2xx is remembered; what
 * failed may be tried again under the same key.
 *
 * Of the repetitions in one process only the first asks the store; the others wait for it here.
 *
 * Throws DomainError `unprocessable` for a key that stands for another request.
 */
export async function withIdempotencyKey(
  request: KeyedRequest,
  encryption: Encryption,
): Promise<SerializedResponse> {
  const deadline = performance.now() + TIMEOUT_MS;
  const name = digest(`${request.caller} ${request.key} ${request.identity}`);
  for (let ahead = leaders.get(name); ahead; ahead = leaders.get(name)) {
    const left = deadline - performance.now();
    const answer = await withTimeout(ahead, left, () => Promise.reject(unavailable())).catch(() => null);
    if (answer && answer.status < 300) return markReplayed(answer);
    if (performance.now() >= deadline) throw unavailable();
  }
  const leading = claimAndRun(request, deadline, encryption);
  leaders.set(name, leading);
  try {
    return await leading;
  } finally {
    leaders.delete(name);
  }
}

async function claimAndRun(
  request: KeyedRequest,
  deadline: number,
  encryption: Encryption,
): Promise<SerializedResponse> {
  const id = digest(`${request.caller} ${request.key}`);
  const identity = digest(request.identity);
  for (let pollMs = FIRST_POLL_MS; performance.now() < deadline; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const claim = await claimKey({ id, request: identity, seed: newSeed() });
    const answer = claim?.mine
      ? await runAndStore(request, claim.record, encryption)
      : claim && readStoredResponse(claim.record, request, encryption);
    if (answer) return answer;
    await sleep(pollMs);
  }
  throw unavailable();
}

/**
 * Null where the request was refused after somebody else had taken it over: theirs is the answer.
 */
async function runAndStore(
  { run }: KeyedRequest,
  key: ClaimedKey,
  encryption: Encryption,
): Promise<SerializedResponse | null> {
  const renewal = setInterval(() => void extendClaim(key).catch(() => undefined), HOLD_RENEWAL_MS);
  try {
    const answer = await run(createSeededIds(key.seed));
    if (answer.status < 300) await storeResponse(key, encryption.encrypt(toCacheEntry(answer)));
    else await releaseKey(key);
    return answer;
  } catch (error) {
    if (!isRefusal(error)) await yieldKey(key);
    else if (!(await releaseKey(key))) return null;
    throw error;
  } finally {
    clearInterval(renewal);
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
      `The request with this ${from} was done, but its answer was sealed under another AUTH_SECRET and cannot be told again.`,
    );
  }
  return markReplayed(fromCacheEntry(opened));
}

function markReplayed(answer: SerializedResponse): SerializedResponse {
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
