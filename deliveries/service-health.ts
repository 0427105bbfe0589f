import { isGivenUp, isPublished, reasonToDisable, assessAttempt } from '../domain/delivery/service-health.ts';
import { ttlCache } from '../store/queries/ttl-cache.ts';
import { skipService } from '../store/delivery/queue.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import {
  findReceiver,
  noteAnswers,
  noteFailing,
  noteGivenUp,
  disableService,
} from '../store/delivery/service-health.ts';
import type { PendingAttempt } from '../store/delivery/deliveries.ts';
import { SUBSCRIBER_CACHE_MS } from '../store/delivery/services.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { noteOutcomeApplied } from '../store/delivery/pending-outcomes.ts';
import type { Attempted } from './attempt.ts';
import { publishServiceError } from './operational-webhooks.ts';
import type { OperationalWebhookDeps } from './operational-webhooks.ts';
import { storeDate } from '../store/cluster/clock.ts';

/** An attempt, with what it was made for. */
export interface LoggedAttempt {
  service: ServiceDocument;
  delivery: Pick<QueuedDelivery, '_id' | 'event'>;
  attempted: Attempted;
  /**
   * What the attempt's log says is still to be done: there wherever others are told of something.
   */
  unjudged?: PendingAttempt;
}

/** How services stand, as deliveries see them and make them. */
export interface ServiceHealth {
  /**
   * A service if it may be sent to now, as every process knows it. Deliveries to one that is gone,
   * or disabled and not by an admin, are skipped for good.
   */
  findUsable(id: string): Promise<ServiceDocument | null>;
  /** Has it asked for anew. */
  forget: (id: string) => void;
  /**
   * Draws the conclusions of a logged attempt, and tells others of bad ones. False: the service is
   * not to be sent to any more. Can be repeated where the first time did not come to its end:
   * others hear of it once.
   */
  applyOutcome(judged: LoggedAttempt): Promise<boolean>;
}

/** What is published of an attempt, and the service's status where it is out of use from now on. */
interface PublishedOutcome {
  status?: 'failed' | 'disabled';
  reason: string;
}

export function createServiceHealth(deps: OperationalWebhookDeps): ServiceHealth {
  const services = ttlCache({ maxAgeMs: SUBSCRIBER_CACHE_MS, max: 5_000, load: findReceiver });
  return {
    forget: services.forget,
    async findUsable(id) {
      const known = await services.get(id);
      if (known?.status === 'active') return known;
      // What was remembered may be from before its webhook was verified again.
      services.forget(id);
      const service = await services.get(id);
      if (service?.status === 'active') return service;
      if (isGivenUp(service)) await skipService(id, storeDate());
      return null;
    },
    async applyOutcome({ service, delivery, attempted, unjudged }) {
      const outcome = await recordOutcome(service, attempted, unjudged?.loggedAt);
      if (outcome?.status) services.forget(service._id);
      if (outcome && unjudged) {
        const { eventId, loggedAt: at } = unjudged;
        const { status, reason } = outcome;
        const after = status ? { ...service, status, statusReason: reason } : service;
        const { attempt } = attempted;
        await publishServiceError(deps, { eventId, at, reason, service: after, delivery, attempt });
        await noteOutcomeApplied(delivery._id, unjudged);
      }
      return outcome?.status === undefined;
    },
  };
}

// The remembered record is kept in step with what is written, so that a change of fortune is
// written once.
async function recordOutcome(
  service: ServiceDocument,
  { attempt, next }: Attempted,
  loggedAt: Date | undefined,
): Promise<PublishedOutcome | null> {
  const { verifiedAt } = service;
  const now = storeDate();
  const verdict = assessAttempt(attempt, next === null);
  if (verdict.is === 'answering') {
    if (service.failingSince || !service.answeredAt) await noteAnswers(service, now);
    delete service.failingSince;
    service.answeredAt ??= now;
    return null;
  }
  // Verified since then, it is not put out of use by what was before.
  if (loggedAt && verifiedAt && verifiedAt > loggedAt && isPublished(verdict)) {
    return { reason: verdict.reason };
  }
  if (!service.failingSince) await noteFailing(service, now);
  service.failingSince ??= now;
  if (verdict.is === 'out of use') return disableWithReason(service, verdict, now);
  return verdict.is === 'given up' ? countGivenUp(service, verdict.reason, now) : null;
}

async function countGivenUp(service: ServiceDocument, reason: string, now: Date): Promise<PublishedOutcome> {
  const reasonNow = reasonToDisable(await noteGivenUp(service), now);
  if (reasonNow === null) return { reason };
  return disableWithReason(service, { status: 'disabled', reason: reasonNow }, now);
}

// One that has another url since then stays in use.
async function disableWithReason(
  service: ServiceDocument,
  { status, reason }: Required<PublishedOutcome>,
  now: Date,
): Promise<PublishedOutcome> {
  if (!(await disableService(service, { status, reason, now }))) return { reason };
  if (status === 'disabled') await skipService(service._id, now);
  return { status, reason };
}
