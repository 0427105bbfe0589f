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

export interface LoggedAttempt {
  service: ServiceDocument;
  delivery: Pick<QueuedDelivery, '_id' | 'event'>;
  attempted: Attempted;
  /** The pending outcome in the attempt's log, if the outcome must be published. */
  unjudged?: PendingAttempt;
}

export interface ServiceHealth {
  /**
   * Returns the service if it may receive deliveries now. If the service is deleted, or disabled by
   * the product, its deliveries are skipped for good.
   */
  findUsable(id: string): Promise<ServiceDocument | null>;
  forget: (id: string) => void;
  /**
   * Applies the outcome of a logged attempt and publishes `service.error` if it is bad. Returns
   * false if the service must receive no more deliveries. Idempotent: a repeated call publishes no
   * second event.
   */
  applyOutcome(judged: LoggedAttempt): Promise<boolean>;
}

/** The published outcome of an attempt. `status` is set if it disables the service. */
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
      // The cached service may predate its latest verification.
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

// Updates the cached service along with the store, so that a change of health is written once.
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
  // An attempt before the latest verification must not disable the service.
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

// A service whose url has changed since the attempt stays active.
async function disableWithReason(
  service: ServiceDocument,
  { status, reason }: Required<PublishedOutcome>,
  now: Date,
): Promise<PublishedOutcome> {
  if (!(await disableService(service, { status, reason, now }))) return { reason };
  if (status === 'disabled') await skipService(service._id, now);
  return { status, reason };
}

/** A process takes its shards at about the same time, so one read serves them all. */
const MAX_AGE_MS = 1_000;

interface CircuitStatesDeps {
  deliveryShards: number;
  admission: Pick<Admission, 'learn'>;
  log: { warn: (facts: object, message: string) => void };
}

interface CircuitStates {
  /** Loads the states of a shard's services. If the store fails, the states stay unknown. */
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
        log.warn({ err: error }, 'failed to load circuit states');
      }
    },
  };
}

/**
 * A worker applies an outcome right after logging the attempt. If the outcome is still pending
 * after this time, the worker crashed or the store failed.
 */
const LEFT_AFTER_MS = 10_000;
const MAX_AT_ONCE = 100;

interface PendingOutcomesDeps {
  health: Pick<ServiceHealth, 'applyOutcome'>;
  mayGoOn: (shard: number) => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Applies outcomes of a shard that crashed workers left pending, so that `service.error` is
 * published (spec 7).
 */
export async function applyPendingOutcomes(deps: PendingOutcomesDeps, shard: number): Promise<void> {
  if (!deps.mayGoOn(shard)) return;
  for (const left of await findPendingOutcomes(shard, new Date(storeNow() - LEFT_AFTER_MS), MAX_AT_ONCE)) {
    await applyPendingOutcome(deps, left).catch((error: unknown) =>
      deps.log.warn({ err: error, delivery: left._id }, 'failed to apply the outcome of an attempt'),
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
  // Only final attempts and attempts that disable the service have a pending outcome.
  await health.applyOutcome({ service, delivery, attempted: { attempt, next: null }, unjudged });
}

export interface RecentFailures {
  failed(service: string, shard: number, failure: Omit<FailingService, 'service'>): void;
  answered(service: string): void;
  /** Latest failure first. */
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
