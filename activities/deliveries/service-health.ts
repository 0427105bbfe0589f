import { briefCache } from '../../store/brief-cache.ts';
import { skipService } from '../../store/delivery-queue.ts';
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

const DAY_MS = 24 * 3600 * 1000;
const DISABLED_AFTER = { failingMs: 5 * DAY_MS, failedEvents: 10 };

/** How services stand, as deliveries see them and make them. */
export interface ServiceHealth {
  /** A service if it may be sent to now, at most a second old. Deliveries to one that is disabled or gone are skipped for good. */
  usable(id: string): Promise<ServiceDocument | null>;
  /** Draws the conclusions of an attempt. False: the service is not to be sent to any more. */
  judge(service: ServiceDocument, attempted: Attempted): Promise<boolean>;
}

export function createServiceHealth(): ServiceHealth {
  const services = briefCache({ maxAgeMs: 1_000, most: 5_000, load: findReceiver });
  return {
    async usable(id) {
      const service = await services.get(id);
      if (!service || service.status === 'disabled') await skipService(id, new Date());
      return service?.status === 'active' ? service : null;
    },
    async judge(service, attempted) {
      const usable = await conclude(service, attempted);
      if (!usable) services.forget(service._id);
      return usable;
    },
  };
}

// The remembered record is kept in step with what is written, so that a change of fortune is written once.
async function conclude(service: ServiceDocument, { attempt, next }: Attempted): Promise<boolean> {
  const { _id: id } = service;
  if (attempt.outcome === 'delivered') {
    if (service.failingSince) await noteRecovered(id);
    delete service.failingSince;
    return true;
  }
  const now = new Date();
  if (!service.failingSince) await noteFailing(id, now);
  service.failingSince ??= now;
  if (isGone(attempt)) return disable(id, 'The receiver answered 410 Gone.', now);
  if (attempt.outcome === 'private_address') {
    await failService(id, attempt.reason ?? 'The address is not public.', now);
    return false;
  }
  return next ? true : countGivenUp(id, now);
}

async function countGivenUp(id: string, now: Date): Promise<boolean> {
  const { failingSince, failedEvents = 0 } = await noteGivenUp(id);
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  if (failingMs < DISABLED_AFTER.failingMs || failedEvents < DISABLED_AFTER.failedEvents) return true;
  return disable(id, `No delivery succeeded in five days, and ${failedEvents} were given up.`, now);
}

async function disable(id: string, reason: string, now: Date): Promise<false> {
  await disableService(id, reason, now);
  await skipService(id, now);
  return false;
}
