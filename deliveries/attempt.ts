import { isGone } from '../domain/delivery/delivery.ts';
import type { Attempt, AttemptOutcome } from '../domain/delivery/delivery.ts';
import { nextWaitMs } from '../domain/delivery/retry-ladder.ts';
import { isPublished, assessAttempt } from '../domain/delivery/service-health.ts';
import { signingSecrets } from '../domain/delivery/signing-secret.ts';
import type { AttemptEnd, EndedAttempt } from '../store/delivery/attempts.ts';
import type { PendingAttempt } from '../store/delivery/deliveries.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import { newId } from '../store/queries/identifier.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { readAnswer } from './http/answer.ts';
import type { WebhookClient } from './http/client.ts';
import { describeFailure } from './http/exchange.ts';
import type { Exchange } from './http/exchange.ts';
import { abortable } from '../platform/concurrency/with-timeout.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { eventId } from '../domain/events/event-name.ts';
import Type from 'typebox';
import type { Static } from 'typebox';
import type { Authority } from '../application/auth/authority.ts';
import { MAX_TOKEN_CHARACTERS, invalidTokenError } from '../application/auth/jwt.ts';
import { DomainError, isRefusal } from '../domain/errors.ts';
import { MAX_MESSAGES } from '../domain/messages/message.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import { messageInput } from '../application/schema/message-body.ts';
import { randomIds } from '../application/posting/id-generator.ts';
import { prepareMessages } from '../application/posting/prepare-messages.ts';
import { bodyCheck } from '../application/schema/check.ts';
import { assertStorable } from '../application/schema/json.ts';
import type { Reply } from './http/answer.ts';
import { blankTokens } from './http/blank-tokens.ts';
import { addAttempts } from '../store/delivery/figures.ts';
import { createBatcher } from '../platform/concurrency/batcher.ts';
import { recordAttempts } from '../store/delivery/attempts.ts';

const OK = 200;

/**
 * What an attempt came to. `next` is when the next one may be made; null: delivered or given up.
 */
export interface Attempted {
  attempt: Attempt;
  next: Date | null;
}

export interface AttemptDeps extends ReplyDeps {
  webhooks: WebhookClient;
  /** Planned waits between attempts. */
  webhookRetrySeconds: readonly number[];
}

/**
 * Sends a delivery once, and posts what it is replied with. A reply that cannot be posted at the
 * moment makes the attempt a failed one. Rejects only when `signal` cuts it off: then it has not
 * been an attempt.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  { delivery, service }: { delivery: QueuedDelivery; service: ServiceDocument },
  signal: AbortSignal,
): Promise<Attempted> {
  const at = storeDate();
  const sent = await deps.webhooks.sendWebhook({
    url: service.params.url,
    id: delivery.eventId,
    body: delivery.body,
    secrets: signingSecrets(service, storeDate()),
    ...(delivery.trace === undefined ? {} : { trace: delivery.trace }),
    signal,
  });
  const { text: response, reply } = await readAnswer(sent.answer ?? { bytes: Buffer.alloc(0) });
  const posting = sent.status === OK && reply ? postReply(deps, { delivery, reply }) : Promise.resolve(null);
  const replied = await abortable(posting, signal);
  const end: Exchange = replied && !replied.settled ? { ...sent, outcome: 'rejected' } : sent;
  return {
    attempt: logged(at, { end, response, replied }),
    next: nextAttempt(deps.webhookRetrySeconds, delivery, end),
  };
}

/**
 * An attempt that is logged. `unjudged`: what follows from it for its service is noted with it,
 * until that is done.
 */
export interface Recorded {
  unjudged?: PendingAttempt;
}

/**
 * Logs an attempt with what follows from it. Null: somebody else has dealt with the delivery
 * meanwhile.
 */
export async function recordAttempted(
  { attempts }: { attempts: AttemptWriter },
  { delivery, attempted }: { delivery: EndedAttempt['delivery']; attempted: Attempted },
): Promise<Recorded | null> {
  const { attempt, next } = attempted;
  const finishedAt = storeDate();
  const recorded: Recorded = isPublished(assessAttempt(attempt, next === null))
    ? { unjudged: { attemptAt: new Date(attempt.at), loggedAt: finishedAt, eventId: eventId(newId()) } }
    : {};
  const end: AttemptEnd = next
    ? { ...recorded, status: 'pending', dueAt: next }
    : { ...recorded, status: attempt.outcome === 'delivered' ? 'delivered' : 'failed', finishedAt };
  return (await attempts.record({ delivery, attempt, end })) ? recorded : null;
}

function nextAttempt(waits: readonly number[], { tries }: QueuedDelivery, end: Exchange): Date | null {
  if (end.outcome === 'delivered' || isGone(end)) return null;
  const { retryAfterSeconds } = end;
  const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const waitMs = nextWaitMs(waits, { attempts: tries + 1, ...asked }, Math.random());
  return waitMs === null ? null : new Date(storeNow() + waitMs);
}

function logged(
  at: Date,
  { end, response, replied }: { end: Exchange; response: string; replied: Replied | null },
): Attempt {
  const { outcome, durationMs, status, requests } = end;
  const reason = describeFailure(end);
  return {
    at: at.toISOString(),
    durationMs,
    outcome,
    ...(status === undefined ? {} : { status }),
    ...(response === '' ? {} : { response }),
    ...(reason === undefined ? {} : { reason }),
    ...(requests === undefined ? {} : { requests }),
    ...(replied ? { reply: replied.words } : {}),
  };
}

export interface ReplyDeps {
  authority: Pick<Authority, 'authenticate'>;
  posting: PostingDeps;
}

/**
 * What became of a reply, in words for the service's owner. Not `settled`: it could not be posted
 * at the moment.
 */
interface Replied {
  settled: boolean;
  words: string;
}

type RepliedDelivery = Pick<QueuedDelivery, '_id' | 'conversation'>;

const replyInput = Type.Object({
  messages: Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES }),
});
const checkReply = bodyCheck(replyInput, 'whole') as (value: unknown) => Static<typeof replyInput>;

/**
 * Posts the messages of a reply as its token's user, with every check that the API makes (spec
 * 7.9). Nothing is looked at before the token was. A delivery's reply is posted once, however often
 * the delivery is made.
 */
async function postReply(
  deps: ReplyDeps,
  { delivery, reply }: { delivery: RepliedDelivery; reply: Reply | DomainError },
): Promise<Replied> {
  try {
    if (reply instanceof DomainError) throw reply;
    const count = await post(deps, delivery, reply);
    return { settled: true, words: `Posted ${count} ${count === 1 ? 'message' : 'messages'}.` };
  } catch (error) {
    return isRefusal(error)
      ? { settled: true, words: blankTokens(`Refused (${error.code}): ${error.message}`) }
      : { settled: false, words: 'The reply could not be posted.' };
  }
}

async function post(
  { authority, posting }: ReplyDeps,
  { _id, conversation }: RepliedDelivery,
  { token, messages: given }: Reply,
): Promise<number> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw invalidTokenError();
  const principal = await authority.authenticate(token);
  if (conversation === undefined) {
    throw new DomainError('unprocessable', 'The event belongs to no conversation that could be replied in.');
  }
  const body = { messages: given };
  assertStorable(body);
  const { messages } = checkReply(body);
  // Known by these, a reply that is made again after a crash or by a retry is not posted again.
  const named = messages.map((message, at) => ({ ...message, externalId: `${_id}#${at + 1}` }));
  const request = { principal, ids: randomIds, receivedAt: storeDate().toISOString() };
  const prepared = await prepareMessages(named, {
    request,
    conversation,
    deps: posting,
    origin: 'message',
  });
  return (await prepared.post()).posted.filter(({ known }) => !known).length;
}

/** Counts attempts by outcome in memory, and in the store from time to time. */
export interface AttemptMetrics {
  count(outcome: AttemptOutcome): void;
  /** Adds what was counted since the last time to what is stored. */
  store: () => Promise<void>;
}

export function createAttemptMetrics(): AttemptMetrics {
  let counted = new Map<AttemptOutcome, number>();
  const add = (outcome: AttemptOutcome, more: number) =>
    void counted.set(outcome, (counted.get(outcome) ?? 0) + more);
  return {
    count: (outcome) => add(outcome, 1),
    async store() {
      if (counted.size === 0) return;
      const stored = counted;
      counted = new Map();
      try {
        await addAttempts(stored);
      } catch (error) {
        for (const [outcome, count] of stored) add(outcome, count);
        throw error;
      }
    },
  };
}

/** As many as one statement may carry, each with an answer of up to 16 KiB. */
const MAX_AT_ONCE = 200;
/**
 * An attempt waits for the write under way no longer than this: what is not stored when its worker
 * dies is sent again.
 */
const MAX_WAIT_MS = 25;

/** Where attempts are written. */
export interface AttemptWriter {
  /**
   * Resolves when the attempt is stored. False: somebody else has dealt with the delivery
   * meanwhile, and nothing was written.
   */
  record: (ended: EndedAttempt) => Promise<boolean>;
}

/**
 * While a write is under way, the attempts of all lanes that end meanwhile go together in the next;
 * where the store is slow, that does not wait for it.
 */
export function createAttemptWriter(): AttemptWriter {
  return {
    record: createBatcher({ write: recordAttempts, maxItems: MAX_AT_ONCE, maxWaitMs: MAX_WAIT_MS }),
  };
}
