import { isGone } from '../domain/delivery/delivery.ts';
import type { Attempt } from '../domain/delivery/delivery.ts';
import { nextWaitMs } from '../domain/delivery/retry-ladder.ts';
import { isPublished, assessAttempt } from '../domain/delivery/service-health.ts';
import { signingSecrets } from '../domain/delivery/secret-rotation.ts';
import type { AttemptEnd, EndedAttempt } from '../store/delivery/attempts.ts';
import type { PendingAttempt } from '../store/delivery/deliveries.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import { newId } from '../store/queries/identifier.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { readAnswer } from './http/answer.ts';
import type { WebhookClient } from './http/client.ts';
import { describeFailure } from './http/exchange.ts';
import type { Exchange } from './http/exchange.ts';
import type { AttemptWriter } from './attempt-writer.ts';
import { postReply } from './reply.ts';
import type { Replied, ReplyDeps } from './reply.ts';
import { abortable } from '../platform/concurrency/abortable.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { eventId } from '../domain/events/event-id.ts';

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
