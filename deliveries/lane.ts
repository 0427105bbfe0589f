import { waitsUntil } from '../domain/delivery/retry-ladder.ts';
import { deferLane, findLane, wakeDelivery, holdLane } from '../store/delivery/queue.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import type { ActiveLane } from './admission.ts';
import { attemptDelivery, recordAttempted, createAttemptWriter } from './attempt.ts';
import type { AttemptMetrics, AttemptDeps, Attempted, AttemptWriter } from './attempt.ts';
import type { LaneCache, LaneTurn } from './lane-cache.ts';
import type { RecentFailures, ServiceHealth } from './service-health.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { isGivenUp } from '../domain/delivery/service-health.ts';
import { markForRelease, noteHeldBack } from '../store/delivery/services.ts';
import { findReceiver } from '../store/delivery/service-health.ts';
import type { AttemptResult } from './concurrency-limits.ts';

const BATCH = 16;
const SOON_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface LaneDeps extends AttemptDeps {
  health: ServiceHealth;
  failures: RecentFailures;
  counts: AttemptMetrics;
  laneCache: LaneCache;
  attempts: AttemptWriter;
  mayGoOn: (shard: number) => boolean;
  signal: AbortSignal;
}

type Loaded = readonly [QueuedDelivery, ...QueuedDelivery[]];

/**
 * Sends the next deliveries of a lane in order, until one must be retried, the batch is sent, or
 * the process must stop. The order comes from the store or from the lane cache, so no delivery
 * overtakes an earlier one, even if another worker ran the lane before.
 *
 * Invariant: the lane's first delivery has the earliest relevant `dueAt`. The next delivery is
 * woken before the current one is stored as done. Followers of a waiting delivery are deferred,
 * because polls would find them for nothing.
 */
async function runLane(deps: LaneDeps, lane: ActiveLane): Promise<{ answers: boolean } | null> {
  const turn = deps.laneCache.begin(lane.id, BATCH);
  const rows = turn.rows ?? (await findLane(lane.id, BATCH + 1));
  lane.rows = new Set(rows.map(({ _id }) => _id));
  const [head, ...followers] = rows;
  if (!head) {
    turn.allDone(0);
    return null;
  }
  const loaded: Loaded = [head, ...followers];
  const until = waitsUntil(head, storeNow());
  if (until) {
    await hideBehind(head, until);
    return null;
  }
  if (!(await deps.health.findUsable(lane.service))) {
    await holdBack(lane);
    return null;
  }
  const beyond = followers[BATCH - 1];
  if (beyond && isDue(beyond)) {
    beyond.dueAt = new Date(storeNow() + MINUTE_MS);
    await deferLane([head, ...followers.slice(0, BATCH - 1)], { now: storeDate(), until: beyond.dueAt });
  }
  return sendInOrder(deps, { lane, loaded, turn });
}

async function sendInOrder(
  deps: LaneDeps,
  { lane, loaded, turn }: { lane: ActiveLane; loaded: Loaded; turn: LaneTurn },
): Promise<{ answers: boolean } | null> {
  let shown: { answers: boolean } | null = null;
  for (const [at, delivery] of loaded.slice(0, BATCH).entries()) {
    if (!deps.mayGoOn(lane.shard) || waitsUntil(delivery, storeNow())) return shown;
    const service = await deps.health.findUsable(lane.service);
    if (!service) {
      await holdBack(lane);
      return shown;
    }
    lane.url = service.params.url;
    const attempted = await attemptDelivery(deps, { delivery, service }, deps.signal);
    shown = { answers: attempted.attempt.outcome === 'delivered' };
    note(deps, { lane, delivery, attempted });
    const next = loaded[at + 1];
    if (!attempted.next && next && !isFoundSoon(next)) await wakeDelivery(next._id, storeDate());
    const recorded = await recordAttempted(deps, { delivery, attempted });
    if (!recorded) {
      lane.again = true;
      return shown;
    }
    const usable = await deps.health.applyOutcome({ service, delivery, attempted, ...recorded });
    if (attempted.next && isAnyVisible(loaded.slice(at + 1), attempted.next)) {
      await hideBehind(delivery, attempted.next);
    }
    if (!usable || attempted.next) return shown;
  }
  if (loaded.length > BATCH) lane.again = true;
  else turn.allDone(loaded.at(-1)?.sequence ?? 0);
  return shown;
}

function note(
  { failures, counts }: LaneDeps,
  { lane, delivery, attempted }: { lane: ActiveLane; delivery: QueuedDelivery; attempted: Attempted },
): void {
  const { outcome, status, reason, at } = attempted.attempt;
  counts.count(outcome);
  if (outcome === 'delivered') {
    failures.answered(lane.service);
    return;
  }
  failures.failed(lane.service, lane.shard, {
    attempt: delivery.tries + 1,
    outcome,
    at,
    ...(status === undefined ? {} : { status }),
    // With a status, the reason may contain an address, which operators must not see.
    ...(reason === undefined || status !== undefined ? {} : { reason }),
    ...(attempted.next ? { nextAt: attempted.next.toISOString() } : {}),
  });
}

function isDue({ dueAt }: QueuedDelivery): boolean {
  return dueAt !== undefined && dueAt.getTime() <= storeNow();
}

// If the process dies without the wake, the follower is due soon anyway. That saves one write per
// delivery.
function isFoundSoon({ dueAt }: QueuedDelivery): boolean {
  return dueAt !== undefined && dueAt.getTime() <= storeNow() + SOON_MS;
}

// Defers the due deliveries behind `head` until one hour after its retry. Usually `wakeDelivery`
// makes the next delivery due earlier; the hour is the fallback if that write is lost.
async function hideBehind(head: QueuedDelivery, dueAt: Date): Promise<void> {
  await deferLane([head], { now: storeDate(), until: new Date(dueAt.getTime() + HOUR_MS) });
}

// Rows queued since the lane was read are deferred when a poll finds them.
function isAnyVisible(followers: readonly QueuedDelivery[], until: Date): boolean {
  return followers.length >= BATCH || followers.some(({ dueAt }) => dueAt && dueAt <= until);
}

/**
 * Holds back all pending deliveries of a lane whose service is being verified, has failed
 * verification or was disabled by an admin. If the service is active by now, the lane runs again.
 *
 * The mark on the service is written before the deliveries are held, and the release mark is set
 * again afterwards: the worker may crash at any point.
 */
async function holdBack(lane: ActiveLane): Promise<void> {
  const service = await findReceiver(lane.service);
  if (service?.status === 'active') {
    lane.again = true;
    return;
  }
  if (!service || isGivenUp(service)) return;
  if (service.heldBack === undefined) await noteHeldBack(lane.service);
  await holdLane(lane.id, storeDate());
  await markForRelease([lane.service]);
}

interface LaneRunDeps extends Omit<LaneDeps, 'signal' | 'attempts'> {
  log: { warn: (facts: object, message: string) => void };
  /** Aborts the attempts of a shard; null: this process does not drain the shard. */
  getCutSignal: (shard: number) => AbortSignal | null;
}

export interface LaneRuns {
  /** Never rejects: a later poll finds the work that failed. */
  run: (lane: ActiveLane) => Promise<AttemptResult>;
  /** Aborts attempts to any other url of the service. Their lanes run again. */
  cutOtherUrls(service: string, url: string): void;
}

export function createLaneRuns(deps: LaneRunDeps): LaneRuns {
  const attempts = createAttemptWriter();
  const running = new Map<ActiveLane, AbortController>();

  async function runWith(lane: ActiveLane, end: AbortController): Promise<AttemptResult> {
    try {
      return await runLane({ ...deps, attempts, signal: end.signal }, lane);
    } catch (error) {
      if (!end.signal.aborted)
        deps.log.warn({ err: error, lane: lane.id }, 'a delivery lane was interrupted');
      return null;
    }
  }

  return {
    async run(lane) {
      const shardEnds = deps.getCutSignal(lane.shard);
      if (!shardEnds || !deps.mayGoOn(lane.shard)) return null;
      // AbortSignal.any would leak: a signal that lives for hours keeps every derived signal.
      const end = new AbortController();
      const cutOff = () => end.abort(shardEnds.reason);
      if (shardEnds.aborted) cutOff();
      shardEnds.addEventListener('abort', cutOff);
      running.set(lane, end);
      delete lane.url;
      const shown = await runWith(lane, end);
      running.delete(lane);
      shardEnds.removeEventListener('abort', cutOff);
      return shown;
    },
    cutOtherUrls(service, url) {
      for (const [lane, end] of running) {
        if (lane.service !== service || lane.url === undefined || lane.url === url) continue;
        lane.again = true;
        end.abort(new Error('The service has another url.'));
      }
    },
  };
}
