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
  findCircuits,
} from '../store/delivery/service-health.ts';
import type { PendingAttempt } from '../store/delivery/deliveries.ts';
import { SUBSCRIBER_CACHE_MS } from '../store/delivery/services.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { noteOutcomeApplied, findPendingOutcomes } from '../store/delivery/attempts.ts';
import type { Attempted } from './attempt.ts';
import { publishServiceError } from './notifications.ts';
import type { OperationalWebhookDeps } from './notifications.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { computeShard } from '../domain/delivery/delivery.ts';
import type { Admission } from './admission.ts';
import type { PendingOutcome } from '../store/delivery/attempts.ts';
import type { FailingService } from '../domain/delivery/drain-report.ts';

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

/** The shards of a process are taken at about the same time. */
const MAX_AGE_MS = 1_000;

interface CircuitStatesDeps {
  deliveryShards: number;
  admission: Pick<Admission, 'learn'>;
  log: { warn: (facts: object, message: string) => void };
}

/** What those who sent for a shard before knew of its services: it does not die with them. */
interface CircuitStates {
  /**
   * Learns it of the services of a shard. Where the store does not answer, nothing is known of
   * them.
   */
  recall(shard: number): Promise<void>;
}

export function createCircuitStates({ deliveryShards, admission, log }: CircuitStatesDeps): CircuitStates {
  const stored = ttlCache({
    maxAgeMs: MAX_AGE_MS,
    max: 1,
    load: async () =>
      (await findCircuits()).map(({ _id, failingSince }) => ({
        service: _id,
        shard: computeShard(_id, deliveryShards),
        standing: failingSince ? ('failing' as const) : ('answering' as const),
      })),
  });
  return {
    async recall(shard) {
      try {
        for (const known of await stored.get('all')) {
          if (known.shard === shard) admission.learn(known.service, known.standing);
        }
      } catch (error) {
        log.warn({ err: error }, 'cannot recall how services stand');
      }
    },
  };
}

/**
 * A worker applies an attempt's outcome right after logging it. If that has not happened after this
 * time, it crashed or the store did not answer it.
 */
const LEFT_AFTER_MS = 10_000;
const MAX_AT_ONCE = 100;

interface PendingOutcomesDeps {
  health: Pick<ServiceHealth, 'applyOutcome'>;
  mayGoOn: (shard: number) => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Draws the conclusions of a shard's attempts whose sender logged them and came no further, so that
 * `service.error` is told (spec 7).
 */
export async function applyPendingOutcomes(deps: PendingOutcomesDeps, shard: number): Promise<void> {
  if (!deps.mayGoOn(shard)) return;
  for (const left of await findPendingOutcomes(shard, new Date(storeNow() - LEFT_AFTER_MS), MAX_AT_ONCE)) {
    await applyPendingOutcome(deps, left).catch((error: unknown) =>
      deps.log.warn({ err: error, delivery: left._id }, 'cannot draw the conclusions of an attempt'),
    );
  }
}

async function applyPendingOutcome({ health }: PendingOutcomesDeps, delivery: PendingOutcome): Promise<void> {
  const { attempts, unjudged } = delivery;
  const found = attempts.find(({ at }) => at.getTime() === unjudged.attemptAt.getTime());
  const service = found && (await findReceiver(delivery.service));
  if (!service) {
    await noteOutcomeApplied(delivery._id, unjudged);
    return;
  }
  const attempt = { ...found, at: found.at.toISOString() };
  // Only of attempts after which there was none, and of such as put their service out of use, is
  // anything left to be judged.
  await health.applyOutcome({ service, delivery, attempted: { attempt, next: null }, unjudged });
}

/** What this process knows of services that fail. */
export interface RecentFailures {
  failed(service: string, shard: number, failure: Omit<FailingService, 'service'>): void;
  answered(service: string): void;
  /** Those of a shard, the latest failure first. */
  listByShard(shard: number): FailingService[];
}

const MAX_SHOWN = 20;

export function createRecentFailures(): RecentFailures {
  const failures = new Map<string, { shard: number; failing: FailingService }>();
  return {
    failed(service, shard, failure) {
      failures.set(service, { shard, failing: { service, ...failure } });
    },
    answered: (service) => void failures.delete(service),
    listByShard: (shard) =>
      [...failures.values()]
        .filter((one) => one.shard === shard)
        .map(({ failing }) => failing)
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, MAX_SHOWN),
  };
}
