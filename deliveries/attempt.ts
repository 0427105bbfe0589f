import type { SendingNote } from '../domain/channels/outcome.ts';
import { isGone } from '../domain/delivery/delivery.ts';
import type { Attempt } from '../domain/delivery/delivery.ts';
import { nextWaitMs } from '../domain/delivery/retry-ladder.ts';
import { assessAttempt, isPublished } from '../domain/delivery/service-health.ts';
import { signingSecrets } from '../domain/delivery/signing-secret.ts';
import type { AttemptEnd, EndedAttempt } from '../store/delivery/attempts.ts';
import type { PendingAttempt } from '../store/delivery/deliveries.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import { newId } from '../store/queries/identifier.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { REPLY_STATUSES, readAnswer } from './http/answer.ts';
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
import { definedFields } from '../domain/record-fields.ts';
import { MAX_MESSAGES } from '../domain/messages/message.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import { messageInput } from '../schema/message-body.ts';
import { randomIds } from '../application/posting/id-generator.ts';
import { prepareMessages } from '../application/posting/draft-messages.ts';
import { bodyCheck } from '../schema/check.ts';
import { describeIgnoredFields } from '../schema/ignored-fields.ts';
import { assertStorable } from '../schema/json.ts';
import type { Reply } from './http/answer.ts';
import { blankTokens } from './http/blank-tokens.ts';
import { createBatcher } from '../platform/concurrency/batcher.ts';
import { recordAttempts } from '../store/delivery/attempts.ts';
import { AnswerTurns } from './concurrency-limits.ts';
import type { LanePath } from './concurrency-limits.ts';

/** `next`: time of the next attempt, null if delivered or given up. */
export interface Attempted {
  attempt: Attempt;
  next: Date | null;
  /** The attempt uses no step of the retry schedule. */
  keepsStep?: true;
  /** The conversation that a post of a channel went into. */
  conversation?: string;
  /** Null removes it. */
  note?: SendingNote | null | undefined;
}

export interface AttemptDeps extends ReplyDeps {
  webhooks: WebhookClient;
  webhookRetrySeconds: readonly number[];
}

/**
 * Makes one attempt and posts the reply in its response. A temporary failure to post fails the
 * attempt; a refusal does not. Rejects only when `signal` aborts it.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  { delivery, service, path }: Sending,
  signal: AbortSignal,
): Promise<Attempted> {
  const at = storeDate();
  const { sent, response, reply } = await send(deps, { delivery, service, path }, signal);
  const replied = reply && (await abortable(settleReply(deps, { delivery, sent, reply }), signal));
  const end: Exchange = replied && !replied.settled ? { ...sent, outcome: 'rejected' } : sent;
  return {
    attempt: logged(at, { end, response, replied }),
    next: nextAttempt(deps.webhookRetrySeconds, delivery, end),
  };
}

export interface Sending {
  delivery: QueuedDelivery;
  service: ServiceDocument;
  path: LanePath;
}

/** Longer answers wait for a turn before they are parsed. */
const SHORT_BYTES = 1_024;
const READ_MS = { perMib: 2, perPiece: 0.01, ofUnreadable: 5 };
const MIB = 1024 * 1024;
const turns = new AnswerTurns();

async function send({ webhooks }: AttemptDeps, { delivery, service, path }: Sending, signal: AbortSignal) {
  const secrets = signingSecrets(service, storeDate());
  const reads = { pieces: 0, bytes: 0 };
  let costMs = 0;
  let end = turns.isOverdrawn(path) ? await turns.begin(path, signal) : undefined;
  const awaitTurn = async (signal: AbortSignal) => {
    end ??= await turns.begin(path, signal);
  };
  try {
    const sent = await webhooks.sendWebhook({
      url: service.params.url ?? '',
      id: delivery.eventId,
      body: delivery.body,
      secrets,
      trace: delivery.trace,
      signal,
      awaitTurn,
      reads,
    });
    const answer = sent.answer ?? { bytes: Buffer.alloc(0) };
    if (sent.isUnreadable) costMs += READ_MS.ofUnreadable;
    // A short compressed answer may become long.
    if (answer.bytes.length > SHORT_BYTES || answer.contentEncoding) await awaitTurn(signal);
    const { text: response, reply, costMs: parseMs } = await readAnswer(answer, secrets);
    costMs += parseMs;
    return { sent, response, reply };
  } finally {
    costMs += reads.pieces * READ_MS.perPiece + (reads.bytes / MIB) * READ_MS.perMib;
    turns.charge(path, costMs);
    end?.();
  }
}

export interface Recorded {
  unjudged?: PendingAttempt;
}

/** Stores an attempt and its outcome. Returns null if the delivery was changed concurrently. */
export async function recordAttempted(
  write: AttemptWriter,
  {
    delivery,
    attempted,
  }: { delivery: EndedAttempt['delivery'] & Pick<QueuedDelivery, 'direction'>; attempted: Attempted },
): Promise<Recorded | null> {
  const { attempt, next, keepsStep, conversation, note } = attempted;
  const finishedAt = storeDate();
  const isJudged = delivery.direction !== 'in' && isPublished(assessAttempt(attempt, next === null));
  const recorded: Recorded = isJudged
    ? { unjudged: { attemptAt: new Date(attempt.at), loggedAt: finishedAt, eventId: eventId(newId()) } }
    : {};
  const end: AttemptEnd = next
    ? { ...recorded, status: 'pending', dueAt: next, ...definedFields({ keepsStep }) }
    : { ...recorded, status: attempt.outcome === 'delivered' ? 'delivered' : 'failed', finishedAt };
  return (await write({ delivery, attempt, end, conversation, note })) ? recorded : null;
}

function nextAttempt(waits: readonly number[], { tries }: QueuedDelivery, end: Exchange): Date | null {
  if (end.outcome === 'delivered' || isGone(end)) return null;
  const { retryAfterSeconds } = end;
  const waitMs = nextWaitMs(waits, { attempts: tries + 1, retryAfterSeconds }, Math.random());
  return waitMs === null ? null : new Date(storeNow() + waitMs);
}

function logged(
  at: Date,
  { end, response, replied }: { end: Exchange; response: string; replied: Replied | null },
): Attempt {
  const { outcome, durationMs, status, requests } = end;
  return {
    at: at.toISOString(),
    durationMs,
    outcome,
    ...definedFields({
      status,
      response: response || undefined,
      reason: describeFailure(end),
      requests,
      reply: replied?.words,
    }),
  };
}

export interface ReplyDeps {
  authority: Pick<Authority, 'authenticate'>;
  posting: PostingDeps;
}

/** `settled`: the reply is posted or refused. `words` are for the service's owner. */
interface Replied {
  settled: boolean;
  words: string;
}

const replyInput = Type.Object({
  messages: Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES }),
});
const checkReply = bodyCheck(replyInput, 'whole') as (value: unknown) => Static<typeof replyInput>;

async function settleReply(
  deps: ReplyDeps,
  {
    delivery,
    sent: { status },
    reply,
  }: { delivery: QueuedDelivery; sent: Exchange; reply: Reply | DomainError },
): Promise<Replied> {
  if (REPLY_STATUSES.includes(status)) return postReply(deps, { delivery, reply });
  return { settled: true, words: `Not posted: only responses with 200, 201 or 202 are, not with ${status}.` };
}

/** Posts a reply as the user whose token the reply contains, with the API's checks (spec 7.9). */
async function postReply(
  deps: ReplyDeps,
  { delivery, reply }: { delivery: QueuedDelivery; reply: Reply | DomainError },
): Promise<Replied> {
  try {
    if (reply instanceof DomainError) throw reply;
    const count = await post(deps, delivery, reply);
    const posted = `Posted ${count} ${count === 1 ? 'message' : 'messages'}.`;
    return { settled: true, words: blankTokens([posted, ...describeIgnored(reply)].join(' ')) };
  } catch (error) {
    return isRefusal(error)
      ? { settled: true, words: blankTokens(`Refused (${error.code}): ${error.message}`) }
      : { settled: false, words: 'The reply could not be posted.' };
  }
}

/** A mistyped `isBackchannel` hides a message from the contact. */
function describeIgnored({ messages }: Reply): string[] {
  const ignored = describeIgnoredFields(replyInput, { messages });
  return ignored.length === 0 ? [] : [`Ignored: ${ignored.join(' ')}`];
}

async function post(
  { authority, posting }: ReplyDeps,
  { _id, conversation }: QueuedDelivery,
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
  // External ids make the post idempotent across retries and crashes.
  const named = messages.map((message, at) => ({ ...message, externalId: `${_id}#${at + 1}` }));
  const { send } = await prepareMessages(named, conversation, {
    principal,
    ids: randomIds,
    receivedAt: storeDate().toISOString(),
    origin: 'message',
    deps: posting,
  });
  return (await send()).posted.filter(({ known }) => !known).length;
}

/** Attempts per write: each may contain 16 KiB of its response. */
const MAX_AT_ONCE = 200;
/** Short: if the worker dies before an attempt is stored, the delivery is sent again. */
const MAX_WAIT_MS = 25;

/** Resolves to false if nothing was written, because the delivery was changed concurrently. */
export type AttemptWriter = (ended: EndedAttempt) => Promise<boolean>;

export function createAttemptWriter(): AttemptWriter {
  return createBatcher({ write: recordAttempts, maxItems: MAX_AT_ONCE, maxWaitMs: MAX_WAIT_MS });
}
