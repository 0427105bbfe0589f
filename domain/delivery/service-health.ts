import { isGone } from './delivery.ts';
import type { Attempt } from './delivery.ts';

const DAY_MS = 24 * 3600 * 1000;
const DISABLED_AFTER = { failingMs: 5 * DAY_MS, failedEvents: 10 };

const GIVEN_UP = 'An event was given up after the last attempt.';

/** Effect of an attempt on its service. Reasons are for the service's owner. */
export type Verdict =
  | { is: 'answering' }
  /** The attempt says nothing about the service. */
  | { is: 'unaffected' }
  | { is: 'failing' }
  /** Failed for good. */
  | { is: 'given up'; reason: string }
  /** No deliveries until verified again, or ever. */
  | { is: 'out of use'; status: 'failed' | 'disabled'; reason: string };

export function assessAttempt(
  attempt: Pick<Attempt, 'outcome' | 'status' | 'reason'>,
  isLast: boolean,
): Verdict {
  if (attempt.outcome === 'delivered') return { is: 'answering' };
  if (attempt.outcome === 'refused' || attempt.outcome === 'throttled') return { is: 'unaffected' };
  if (attempt.outcome === 'broken') {
    return {
      is: 'out of use',
      status: 'failed',
      reason: attempt.reason ?? 'The provider refused the service.',
    };
  }
  if (isGone(attempt)) {
    return { is: 'out of use', status: 'disabled', reason: 'The receiver responded with 410 Gone.' };
  }
  if (attempt.outcome === 'private_address') {
    return { is: 'out of use', status: 'failed', reason: attempt.reason ?? 'The address is not public.' };
  }
  return isLast ? { is: 'given up', reason: GIVEN_UP } : { is: 'failing' };
}

/** Returns whether to publish `service.error` (spec 7.10). */
export function isPublished(verdict: Verdict): verdict is Verdict & { reason: string } {
  return verdict.is === 'given up' || verdict.is === 'out of use';
}

/** Returns null if the service is not to be disabled yet (spec 7.10). */
export function reasonToDisable(
  { failingSince, failedEvents = 0 }: { failingSince?: Date; failedEvents?: number },
  now: Date,
): string | null {
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  const isEnough = failingMs >= DISABLED_AFTER.failingMs && failedEvents >= DISABLED_AFTER.failedEvents;
  return isEnough ? `No delivery succeeded in five days, and ${failedEvents} were given up.` : null;
}

/** Returns whether the service was removed, or disabled by Parlance. */
export function isGivenUp(service: { status: string; paused?: boolean } | null): boolean {
  return service === null || (service.status === 'disabled' && !service.paused);
}

/** Returns whether the posts of a channel are taken (spec 15.8). */
export function isReceiving(service: { status: string; paused?: boolean }): boolean {
  return service.status !== 'disabled' || isGivenUp(service);
}
