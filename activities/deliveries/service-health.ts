import type { Attempt } from '../../domain/delivery.ts';
import { briefCache } from '../../store/brief-cache.ts';
import { skipService } from '../../store/delivery-queue.ts';
import type { QueuedDelivery } from '../../store/delivery-queue.ts';
import {
  disableService,
  failService,
  findReceiver,
  noteFailing,
  noteGivenUp,
  noteRecovered,
} from '../../store/service-health.ts';
import type { UnjudgedAttempt } from '../../store/deliveries.ts';
import type { ServiceDocument } from '../../store/services.ts';
import { noteJudged } from '../../store/unjudged-deliveries.ts';
import { isGone } from './attempt.ts';
import type { Attempted } from './attempt.ts';
import { announceServiceError } from './service-error.ts';
import type { ServiceErrorDeps } from './service-error.ts';
import { storeDate } from '../../store/clock.ts';

const DAY_MS = 24 * 3600 * 1000;
const DISABLED_AFTER = { failingMs: 5 * DAY_MS, failedEvents: 10 };

/** An attempt, with what it was made for. */
export interface Judged {
  service: ServiceDocument;
  delivery: Pick<QueuedDelivery, '_id' | 'event'>;
  attempted: Attempted;
  /** What the attempt's log says is still to be done: there wherever others are told of something. */
  unjudged?: UnjudgedAttempt;
}

/** How services stand, as deliveries see them and make them. */
export interface ServiceHealth {
  /** A service if it may be sent to now, at most a second old. Deliveries to one that is disabled or gone are skipped for good. */
  usable(id: string): Promise<ServiceDocument | null>;
  /**
   * Draws the conclusions of a logged attempt, and tells others of bad ones. False: the service is not to be sent to any more. Can be
   * repeated where the first time did not come to its end: others hear of it once.
   */
  judge(judged: Judged): Promise<boolean>;
}

/** What an attempt means for its service, where others are told. */
interface Verdict {
  /** The service's status from now on, where it is out of use. */
  status?: 'failed' | 'disabled';
  reason: string;
}

const GIVEN_UP = 'An event was given up after the last attempt.';

export function createServiceHealth(deps: ServiceErrorDeps): ServiceHealth {
  const services = briefCache({ maxAgeMs: 1_000, most: 5_000, load: findReceiver });
  return {
    async usable(id) {
      if (isOut(await services.get(id))) services.forget(id);
      const service = await services.get(id);
      // For good, so only on fresh news: what was remembered may be from before its webhook was verified again.
      if (isOut(service)) await skipService(id, storeDate());
      return service?.status === 'active' ? service : null;
    },
    async judge({ service, delivery, attempted, unjudged }) {
      const verdict = await conclude(service, attempted, unjudged?.loggedAt);
      if (verdict?.status) services.forget(service._id);
      if (verdict && unjudged) {
        const { eventId, loggedAt: at } = unjudged;
        const { status, reason } = verdict;
        const after = status ? { ...service, status, statusReason: reason } : service;
        const { attempt } = attempted;
        await announceServiceError(deps, { ...{ eventId, at, reason }, service: after, delivery, attempt });
        await noteJudged(delivery._id, unjudged);
      }
      return verdict?.status === undefined;
    },
  };
}

function isOut(service: ServiceDocument | null): boolean {
  return service?.status === 'disabled' || service === null;
}

// The remembered record is kept in step with what is written, so that a change of fortune is written once.
async function conclude(
  service: ServiceDocument,
  { attempt, next }: Attempted,
  loggedAt: Date | undefined,
): Promise<Verdict | null> {
  const { _id: id, verifiedAt } = service;
  if (attempt.outcome === 'delivered') {
    if (service.failingSince) await noteRecovered(id);
    delete service.failingSince;
    return null;
  }
  // Verified since then, it is not put out of use by what was before.
  if (loggedAt && verifiedAt && verifiedAt > loggedAt) return { reason: reasonOf(attempt) };
  const now = storeDate();
  if (!service.failingSince) await noteFailing(id, now);
  service.failingSince ??= now;
  if (isGone(attempt)) return disable(id, reasonOf(attempt), now);
  if (attempt.outcome === 'private_address') {
    await failService(id, reasonOf(attempt), now);
    return { status: 'failed', reason: reasonOf(attempt) };
  }
  return next ? null : countGivenUp(id, now);
}

function reasonOf(attempt: Attempt): string {
  if (isGone(attempt)) return 'The receiver answered 410 Gone.';
  if (attempt.outcome === 'private_address') return attempt.reason ?? 'The address is not public.';
  return GIVEN_UP;
}

async function countGivenUp(id: string, now: Date): Promise<Verdict> {
  const { failingSince, failedEvents = 0 } = await noteGivenUp(id);
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  if (failingMs < DISABLED_AFTER.failingMs || failedEvents < DISABLED_AFTER.failedEvents) {
    return { reason: GIVEN_UP };
  }
  return disable(id, `No delivery succeeded in five days, and ${failedEvents} were given up.`, now);
}

async function disable(id: string, reason: string, now: Date): Promise<Verdict> {
  await disableService(id, reason, now);
  await skipService(id, now);
  return { status: 'disabled', reason };
}
