import { setMaxListeners } from 'node:events';
import { computeShard, isInboundLane } from '../domain/delivery/delivery.ts';
import type { FailingService } from '../domain/delivery/drain-report.ts';
import { recoveryTask } from '../platform/concurrency/recovery-task.ts';
import type { RecoveryTask, WarningLog } from '../platform/concurrency/recovery-task.ts';
import type { RepeatingTask } from '../platform/concurrency/repeating-task.ts';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findPendingOutcomes } from '../store/delivery/attempts.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';
import { findCircuits } from '../store/delivery/service-health.ts';
import { findServicesToRelease } from '../store/delivery/services.ts';
import type { ReleaseMark } from '../store/delivery/services.ts';
import { ttlCache } from '../store/queries/ttl-cache.ts';
import type { AttemptDeps } from './attempt.ts';
import type { CarryDeps } from './carry.ts';
import type { InboundDeps } from './inbound.ts';
import { Backlog, Visibility } from './backlog.ts';
import { LaneCache } from './lane-cache.ts';
import type { HandedOffEvents } from './lane-cache.ts';
import { LaneRunner } from './lane.ts';
import { AttemptMetrics, RecentFailures } from './metrics.ts';
import { Poller } from './poller.ts';
import { Scheduler, Tenants } from './scheduler.ts';
import { ServiceHealth } from './service-health.ts';
import { ShardLeases } from './shard-leases.ts';

/** Default of `attemptGraceMs`, and the grace period of a lost shard. */
const GRACE_MS = 2_000;
/** A process takes its shards at about the same time, with one read of the circuits. */
const CIRCUITS_MAX_AGE_MS = 1_000;
/** An outcome that is pending for longer was left by a crash or an outage of the store. */
const OUTCOME_LEFT_MS = 10_000;
const MAX_OUTCOMES = 100;

export interface DispatcherDeps
  extends
    Omit<InboundDeps, 'webhooks' | 'notifyDeliveries'>,
    AttemptDeps,
    Omit<CarryDeps, 'notifyDeliveries'> {
  /** Unique name of this process among workers, never reused. */
  identity: string;
  log: WarningLog;
  /**
   * Grace period for attempts when a shard is released. The delivery of an aborted attempt is sent
   * again.
   */
  attemptGraceMs?: number;
}

/** Offers deliveries without a poll. `fresh`: events that this process has just stored. */
export type NotifyDeliveries = (rows: readonly DueDelivery[], fresh?: HandedOffEvents) => void;

interface DrainedShard {
  lost: AbortSignal;
  cut: AbortController;
  isLeaving: boolean;
}

/**
 * Sends the deliveries of all shards that this process holds.
 *
 * States of a delivery, in its row:
 *
 *     stored ────────────> due, held (service pending or failed) or skipped (service disabled)
 *     due ───────────────> attempt
 *     attempt ───────────> delivered, failed (last attempt, or 410), or due at `retryAt`
 *     due ───────────────> held: the service is inactive
 *     held ──────────────> due: the service is active again
 *     due or held ───────> skipped: the service is removed, or disabled by Parlance
 *
 * - due: the poller, the backlog or a notification offers its lane to the scheduler.
 * - retryAt: end of the backoff. Until then, the delivery stays first and its lane waits.
 *
 * States of a lane, in memory:
 *
 *     offered ──> waiting ──> running ──> dropped
 *                    ^           │
 *                    └── again <─┘
 *
 * - waiting: for a slot of the concurrency limits. If the scheduler has no room for a lane, a later
 *   poll offers the lane again.
 * - again: for example, rows were queued during the run, or the batch was full.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #leases: ShardLeases;
  readonly #draining = new Map<number, DrainedShard>();
  readonly #failures = new RecentFailures();
  readonly #metrics = new AttemptMetrics();
  readonly #cache = new LaneCache();
  readonly #tenants = new Tenants();
  readonly #health: ServiceHealth;
  readonly #lanes: LaneRunner;
  readonly #scheduler: Scheduler;
  readonly #backlog: Backlog;
  readonly #poller: Poller;
  readonly #recovery: RepeatingTask[];
  readonly #circuits = ttlCache({ maxAgeMs: CIRCUITS_MAX_AGE_MS, max: 1, load: findCircuits });

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#leases = new ShardLeases(deps.identity);
    this.#health = new ServiceHealth({ ...deps, notifyDeliveries: this.notify });
    const shared = { ...deps, tenants: this.#tenants, visibility: new Visibility(), maySend: this.#maySend };
    this.#lanes = new LaneRunner({
      ...shared,
      notifyDeliveries: this.notify,
      health: this.#health,
      failures: this.#failures,
      metrics: this.#metrics,
      cache: this.#cache,
      findCutSignal: (shard) => this.#draining.get(shard)?.cut.signal,
    });
    this.#scheduler = new Scheduler({
      run: (lane) => this.#lanes.run(lane),
      ended: (lane, recovered) => {
        if (recovered) this.#backlog.drainService(lane);
        else if (isInboundLane(lane.id, lane.service)) return;
        else if (!this.#scheduler.isAnswering(lane.service)) this.#backlog.retryLater(lane);
      },
    });
    const sending = { ...shared, scheduler: this.#scheduler };
    this.#backlog = new Backlog(sending);
    this.#poller = new Poller({
      ...sending,
      backlog: this.#backlog,
      shards: () => this.#sendingShards(),
      isDraining: () => this.#draining.size > 0,
    });
    this.#recovery = this.#createRecovery();
  }

  /** Starts to drain a shard. The returned signal is aborted when the lease is lost or released. */
  async take(shard: number, signal: AbortSignal): Promise<AbortSignal> {
    const lost = await this.#leases.take(shard, signal);
    await this.#learnCircuits(shard);
    // After a repeated take, running lanes continue, and the next release aborts them.
    const before = this.#draining.get(shard);
    const cut = before && !before.isLeaving ? before.cut : createCutController();
    this.#draining.set(shard, { lost, cut, isLeaving: false });
    this.#poller.pollNow();
    for (const task of this.#recovery) task.start();
    return lost;
  }

  /** Stops draining. Aborts attempts in progress after the grace period. */
  async release(shard: number, lost: AbortSignal): Promise<void> {
    const mine = this.#draining.get(shard);
    if (mine?.lost !== lost) return;
    mine.isLeaving = true;
    const graceMs = lost.aborted ? GRACE_MS : (this.#deps.attemptGraceMs ?? GRACE_MS);
    const settled = this.#scheduler.settle(shard);
    // The loss of the shard ends the wait: another process takes over its deliveries.
    await withTimeout(Promise.race([settled, untilAborted(lost)]), graceMs, () => undefined);
    mine.cut.abort(new Error('The drain ends.'));
    await settled;
    if (this.#draining.get(shard) === mine) this.#draining.delete(shard);
    await this.#leases.release(shard, lost);
  }

  readonly notify: NotifyDeliveries = (rows, fresh) => {
    if (fresh) {
      this.#cache.handOff({ ...fresh, rows: fresh.rows.filter(({ shard }) => this.#maySend(shard)) });
    }
    // If the store fails, the poller finds the rows later.
    void this.#offer(rows.filter(({ shard }) => this.#maySend(shard))).catch(() => undefined);
  };

  listFailing(shard: number): FailingService[] {
    return this.#failures.listByShard(shard);
  }

  storeMetrics(): Promise<void> {
    return this.#metrics.store();
  }

  readonly #maySend = (shard: number): boolean =>
    this.#draining.get(shard)?.isLeaving === false && this.#leases.holds(shard);

  #sendingShards(): number[] {
    return [...this.#draining.keys()].filter(this.#maySend);
  }

  async #offer(rows: readonly DueDelivery[]): Promise<void> {
    for (const row of await this.#tenants.assign(rows)) {
      if (this.#maySend(row.shard)) this.#scheduler.offer(row);
    }
    this.#scheduler.start();
  }

  async #learnCircuits(shard: number): Promise<void> {
    try {
      for (const { _id, failingSince } of await this.#circuits.get('all')) {
        if (this.#shardOf(_id) !== shard) continue;
        this.#scheduler.limits.learn(_id, failingSince ? 'failing' : 'answering');
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'failed to load circuit states');
    }
  }

  #createRecovery(): RepeatingTask[] {
    const isWanted = () => this.#draining.size > 0;
    const create = <T>(task: RecoveryTask<T>) => recoveryTask({ ...task, isWanted }, this.#deps.log);
    return [
      create({
        name: 'release held deliveries',
        everyMs: 250,
        find: async () =>
          (await findServicesToRelease()).filter(({ service }) => this.#maySend(this.#shardOf(service))),
        key: ({ service }) => service,
        recover: (mark) => this.#release(mark),
        maxWaitMs: 0,
      }),
      create({
        name: 'apply the outcomes of attempts',
        everyMs: 1_000,
        find: () =>
          findPendingOutcomes(this.#sendingShards(), new Date(storeNow() - OUTCOME_LEFT_MS), MAX_OUTCOMES),
        key: ({ _id }) => _id,
        recover: (delivery) => this.#health.applyPending(delivery),
      }),
    ];
  }

  async #release(mark: ReleaseMark): Promise<void> {
    const { service } = mark;
    // The cached state may belong to the former url.
    this.#health.forget(service);
    this.#scheduler.limits.forget(service);
    const found = await this.#health.findUsable(service);
    if (found) this.#lanes.cutOtherUrls(service, found.params.url);
    await this.#backlog.release(mark, this.#shardOf(service));
  }

  #shardOf(service: string): number {
    return computeShard(service, this.#deps.deliveryShards);
  }
}

// Each running lane adds a listener.
function createCutController(): AbortController {
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  return cut;
}

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
