import type { Attempt } from '../../domain/delivery.ts';
import { nextWaitMs } from '../../domain/retry-ladder.ts';
import { recordAttempt } from '../../store/delivery-queue.ts';
import type { AttemptEnd, QueuedDelivery } from '../../store/delivery-queue.ts';
import type { ServiceDocument } from '../../store/services.ts';
import type { WebhookClient } from '../../webhooks/client.ts';
import type { Exchange } from '../../webhooks/exchange.ts';

const KEPT_ANSWER_BYTES = 16 * 1024;
const GONE = 410;

/** What an attempt came to. `next` is when the next one may be made; null: delivered or given up. */
export interface Attempted {
  attempt: Attempt;
  next: Date | null;
}

export interface AttemptDeps {
  webhooks: WebhookClient;
  /** Planned waits between attempts. */
  webhookRetrySeconds: readonly number[];
}

/** Sends a delivery once. Rejects only when `signal` cuts it off: then it has not been an attempt. */
export async function attemptDelivery(
  { webhooks, webhookRetrySeconds }: AttemptDeps,
  { delivery, service }: { delivery: QueuedDelivery; service: ServiceDocument },
  signal: AbortSignal,
): Promise<Attempted> {
  const at = new Date();
  const { url, secret } = service.params;
  const end = await webhooks.sendWebhook({
    url,
    id: delivery.event,
    body: delivery.body,
    secrets: secret ? [secret] : [],
    signal,
  });
  return { attempt: logged(at, end), next: nextAttempt(webhookRetrySeconds, delivery, end) };
}

/** Logs an attempt with what follows from it. False: somebody else has dealt with the delivery meanwhile. */
export function recordAttempted(
  delivery: Pick<QueuedDelivery, '_id' | 'tries'>,
  { attempt, next }: Attempted,
): Promise<boolean> {
  const finishedAt = new Date();
  const end: AttemptEnd = next
    ? { status: 'pending', dueAt: next }
    : { status: attempt.outcome === 'delivered' ? 'delivered' : 'failed', finishedAt };
  return recordAttempt(delivery, attempt, end);
}

/** Whether the receiver said that it wants no more of these, ever (contract 7). */
export function isGone({ outcome, status }: Attempt): boolean {
  return outcome === 'rejected' && status === GONE;
}

function nextAttempt(waits: readonly number[], { tries }: QueuedDelivery, end: Exchange): Date | null {
  if (end.outcome === 'delivered' || end.status === GONE) return null;
  const { retryAfterSeconds } = end;
  const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const waitMs = nextWaitMs(waits, { attempts: tries + 1, ...asked }, Math.random());
  return waitMs === null ? null : new Date(Date.now() + waitMs);
}

function logged(at: Date, { outcome, durationMs, status, answer, reason }: Exchange): Attempt {
  return {
    at: at.toISOString(),
    durationMs,
    outcome,
    ...(status === undefined ? {} : { status }),
    ...(answer?.length ? { response: firstCharacters(answer) } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

// A character that the limit cuts in two is left out.
function firstCharacters(answer: Buffer): string {
  return new TextDecoder().decode(answer.subarray(0, KEPT_ANSWER_BYTES), { stream: true });
}
