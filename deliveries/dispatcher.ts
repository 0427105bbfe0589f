import { setMaxListeners } from 'node:events';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import { computeShard } from '../domain/delivery/delivery.ts';
import type { FailingService } from '../domain/delivery/drain-report.ts';
import { createAttemptMetrics } from './attempt.ts';
import { createLaneCache } from './lane-cache.ts';
import type { LaneCache } from './lane-cache.ts';
import { createAdmission, createTenants } from './admission.ts';
import type { Admission, AssignTenants } from './admission.ts';
import { createBacklog } from './backlog.ts';
import type { BacklogDeps } from './backlog.ts';
import type { AttemptDeps } from './attempt.ts';
import { createShardLeases } from './shard-leases.ts';
import { createLaneRuns } from './lane.ts';
import type { LaneRuns } from './lane.ts';
import { createVisibility, createPoller } from './poller.ts';
import type { PollerDeps } from './poller.ts';
import type { DeliveryNotifications, OperationalWebhookDeps } from './notifications.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';
import { createHeldDeliveryReleaser } from './held-deliveries.ts';
import {
  createRecentFailures,
  createServiceHealth,
  createCircuitStates,
  applyPendingOutcomes,
} from './service-health.ts';
import type { ServiceHealth } from './service-health.ts';
import { createVerifications } from './verifications.ts';

/** Grace period for attempts after their shard was lost or released. */
const GRACE_MS = 2_000;

export interface DispatcherDeps extends AttemptDeps, OperationalWebhookDeps {
  /** Unique name of this process among workers, never reused. */
  identity: string;
  deliveryNotices: DeliveryNotifications;
  log: PollerDeps['log'];
  /**
   * Grace period for attempts when a shard is released. An attempt aborted after it is sent twice.
   */
  attemptGraceMs?: number;
}

/** Drains all shards of this process with one poll of the store. */
export interface Dispatcher {
  /**
   * Starts to drain a shard. The returned signal is aborted when another process has taken the
   * shard.
   */
  take(shard: number, signal: AbortSignal): Promise<AbortSignal>;
  /**
   * Stops draining. Attempts in progress get the grace period; aborted attempts are sent again by
   * the next owner.
   */
  release(shard: number, lost: AbortSignal): Promise<void>;
  failing(shard: number): FailingService[];
  /** Completes verifications and attempt outcomes that crashed workers left. */
  tidy(shard: number): Promise<void>;
  storeCounts: () => Promise<void>;
}

type MayGoOn = (shard: number) => boolean;

interface HeldShard {
  lost: AbortSignal;
  cut: AbortController;
  leaving: boolean;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const holdings = createShardLeases(deps.identity);
  const draining = new Map<number, HeldShard>();
  const mayGoOn = (shard: number) => draining.get(shard)?.leaving === false && holdings.holds(shard);
  const { admission, health, failures, counts, look, releases } = createSending(deps, { draining, mayGoOn });
  const standings = createCircuitStates({ ...deps, admission });
  const verifications = createVerifications(deps);
  return {
    async take(shard, signal) {
      const lost = await holdings.take(shard, signal);
      await standings.recall(shard);
      // This process took the shard again: its running lanes continue, and a later release aborts
      // them too.
      const before = draining.get(shard);
      const cut = before && !before.leaving ? before.cut : createCutController();
      draining.set(shard, { lost, cut, leaving: false });
      look.pollNow();
      releases.begin();
      return lost;
    },
    async release(shard, lost) {
      const mine = draining.get(shard);
      if (mine?.lost !== lost) return;
      const graceMs = lost.aborted ? GRACE_MS : (deps.attemptGraceMs ?? GRACE_MS);
      await leaveShard(mine, { settled: admission.settle(shard), graceMs });
      if (draining.get(shard) === mine) draining.delete(shard);
      await holdings.release(shard, lost);
    },
    failing: (shard) => failures.listByShard(shard),
    tidy: (shard) => {
      verifications.finish();
      return applyPendingOutcomes({ health, mayGoOn, log: deps.log }, shard);
    },
    storeCounts: counts.store,
  };
}

function createSending(
  deps: DispatcherDeps,
  { draining, mayGoOn }: { draining: ReadonlyMap<number, HeldShard>; mayGoOn: MayGoOn },
) {
  const failures = createRecentFailures();
  const counts = createAttemptMetrics();
  const laneCache = createLaneCache();
  const health = createServiceHealth(deps);
  const getCutSignal = (shard: number) => draining.get(shard)?.cut.signal ?? null;
  const runs = createLaneRuns({ ...deps, health, failures, counts, laneCache, mayGoOn, getCutSignal });
  const withTenants = createTenants();
  const { admission, backlog } = createAdmissionWithBacklog(runs.run, {
    withTenants,
    mayGoOn,
    log: deps.log,
  });
  const visibility = createVisibility();
  const goesOn = () => draining.size > 0;
  const look = createPoller({
    admission,
    backlog,
    visibility,
    withTenants,
    goesOn,
    log: deps.log,
    shards: () => [...draining.keys()].filter(mayGoOn),
  });
  const releases = createHeldDeliveryReleaser({
    admission,
    visibility,
    withTenants,
    goesOn,
    mayGoOn,
    log: deps.log,
    computeShard: (service) => computeShard(service, deps.deliveryShards),
    restartService: (service) => resetService(service, { admission, health, runs }),
  });
  subscribe(deps.deliveryNotices, { admission, laneCache, withTenants, mayGoOn });
  return { admission, health, failures, counts, look, releases };
}

function subscribe(
  notices: DeliveryNotifications,
  { admission, laneCache, withTenants, mayGoOn }: SubscriberDeps,
): void {
  async function offer(rows: readonly DueDelivery[]): Promise<void> {
    for (const row of await withTenants(rows)) if (mayGoOn(row.shard)) admission.offer(row);
    admission.start();
  }

  notices.listen((rows, fresh) => {
    if (fresh) laneCache.handOff({ ...fresh, rows: fresh.rows.filter(({ shard }) => mayGoOn(shard)) });
    // If the store fails, the poller finds the rows later.
    void offer(rows.filter(({ shard }) => mayGoOn(shard))).catch(() => undefined);
  });
}

interface SubscriberDeps {
  admission: Admission;
  laneCache: LaneCache;
  withTenants: AssignTenants;
  mayGoOn: MayGoOn;
}

function createAdmissionWithBacklog(
  run: LaneRuns['run'],
  { withTenants, mayGoOn, log }: Omit<BacklogDeps, 'admission'>,
) {
  const admission: Admission = createAdmission({
    run,
    ended: (lane, nowAnswers) => {
      if (nowAnswers) backlog.drainService(lane);
      else if (!admission.answers(lane.service)) backlog.retryLater(lane);
    },
  });
  const backlog = createBacklog({ admission, withTenants, mayGoOn, log });
  return { admission, backlog };
}

// The cached state belongs to the old url, or to the time before the verification.
async function resetService(
  service: string,
  { admission, health, runs }: { admission: Admission; health: ServiceHealth; runs: LaneRuns },
): Promise<void> {
  health.forget(service);
  admission.forget(service);
  const found = await health.findUsable(service);
  if (found) runs.cutOtherUrls(service, found.params.url);
}

// Every attempt in progress adds a listener, so lift the listener limit.
function createCutController(): AbortController {
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  return cut;
}

async function leaveShard(
  mine: HeldShard,
  { settled, graceMs }: { settled: Promise<void>; graceMs: number },
): Promise<void> {
  mine.leaving = true;
  // Another process sends a lost shard and does not wait for this one.
  await withTimeout(Promise.race([settled, aborted(mine.lost)]), graceMs, () => undefined);
  mine.cut.abort(new Error('The drain ends.'));
  await settled;
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
