import { isGone } from './delivery.ts';
import type { Attempt } from './delivery.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A service that failed for so long, with so many events given up, is disabled (spec 7.10). */
const DISABLED_AFTER = { failingMs: 5 * DAY_MS, failedEvents: 10 };

const GIVEN_UP = 'An event was given up after the last attempt.';

/** What an attempt means for the service that it was made for; reasons are for its owner. */
export type Verdict =
  | { is: 'answering' }
  /** The delivery is attempted again. */
  | { is: 'failing' }
  /** The delivery is over, and was not made. */
  | { is: 'given up'; reason: string }
  /** The service is not sent to any more: until it is verified again, or for good. */
  | { is: 'out of use'; status: 'failed' | 'disabled'; reason: string };

/** What an attempt means for its service; `isLast`: its delivery is not attempted again. */
export function assessAttempt(
  attempt: Pick<Attempt, 'outcome' | 'status' | 'reason'>,
  isLast: boolean,
): Verdict {
  if (attempt.outcome === 'delivered') return { is: 'answering' };
  if (isGone(attempt)) {
    return { is: 'out of use', status: 'disabled', reason: 'The receiver answered 410 Gone.' };
  }
  if (attempt.outcome === 'private_address') {
    return { is: 'out of use', status: 'failed', reason: attempt.reason ?? 'The address is not public.' };
  }
  return isLast ? { is: 'given up', reason: GIVEN_UP } : { is: 'failing' };
}

/** Whether others are told of it, by the event `service.error` (spec 7.10). */
export function isPublished(verdict: Verdict): verdict is Verdict & { reason: string } {
  return verdict.is === 'given up' || verdict.is === 'out of use';
}

/** How long a service has failed, and how many of its events were given up meanwhile. */
export interface FailureRecord {
  failingSince?: Date | undefined;
  failedEvents?: number | undefined;
}

/** Why a service that fails like this is disabled; null: it is not yet (spec 7.10). */
export function reasonToDisable({ failingSince, failedEvents = 0 }: FailureRecord, now: Date): string | null {
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  const isEnough = failingMs >= DISABLED_AFTER.failingMs && failedEvents >= DISABLED_AFTER.failedEvents;
  return isEnough ? `No delivery succeeded in five days, and ${failedEvents} were given up.` : null;
}

/**
 * Whether what waits for a service is given up: the service is gone, or disabled and not by an
 * admin, who may enable it again.
 */
export function isGivenUp(service: { status: string; paused?: boolean } | null): boolean {
  return service === null || (service.status === 'disabled' && !service.paused);
}
