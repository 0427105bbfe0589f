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
import type { ServiceDocument } from '../../store/services.ts';
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
}

/** How services stand, as deliveries see them and make them. */
export interface ServiceHealth {
  /** A service if it may be sent to now, at most a second old. Deliveries to one that is disabled or gone are skipped for good. */
  usable(id: string): Promise<ServiceDocument | null>;
  /** Draws the conclusions of an attempt, and tells others of bad ones. False: the service is not to be sent to any more. */
  judge(judged: Judged): Promise<boolean>;
}

/** What an attempt changes for its service. */
interface Verdict {
  /** The service's status from now on, where it is out of use. */
  status?: 'failed' | 'disabled';
  /** What others are told. */
  reason?: string;
}

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
    async judge({ service, delivery, attempted }) {
      const { status, reason } = await conclude(service, attempted);
      if (status) services.forget(service._id);
      if (reason !== undefined) {
        const after = status ? { ...service, status, statusReason: reason } : service;
        await announceServiceError(deps, { service: after, delivery, attempt: attempted.attempt, reason });
      }
      return status === undefined;
    },
  };
}

function isOut(service: ServiceDocument | null): boolean {
  return service?.status === 'disabled' || service === null;
}

// The remembered record is kept in step with what is written, so that a change of fortune is written once.
async function conclude(service: ServiceDocument, { attempt, next }: Attempted): Promise<Verdict> {
  const { _id: id } = service;
  if (attempt.outcome === 'delivered') {
    if (service.failingSince) await noteRecovered(id);
    delete service.failingSince;
    return {};
  }
  const now = storeDate();
  if (!service.failingSince) await noteFailing(id, now);
  service.failingSince ??= now;
  if (isGone(attempt)) return disable(id, 'The receiver answered 410 Gone.', now);
  if (attempt.outcome === 'private_address') {
    const reason = attempt.reason ?? 'The address is not public.';
    await failService(id, reason, now);
    return { status: 'failed', reason };
  }
  return next ? {} : countGivenUp(id, now);
}

async function countGivenUp(id: string, now: Date): Promise<Verdict> {
  const { failingSince, failedEvents = 0 } = await noteGivenUp(id);
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  if (failingMs < DISABLED_AFTER.failingMs || failedEvents < DISABLED_AFTER.failedEvents) {
    return { reason: 'An event was given up after the last attempt.' };
  }
  return disable(id, `No delivery succeeded in five days, and ${failedEvents} were given up.`, now);
}

async function disable(id: string, reason: string, now: Date): Promise<Verdict> {
  await disableService(id, reason, now);
  await skipService(id, now);
  return { status: 'disabled', reason };
}
