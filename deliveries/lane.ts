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

/** Deliveries read at once. */
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
  /** Whether this process may begin another attempt for a shard. */
  mayGoOn: (shard: number) => boolean;
  /** Cuts attempts off. */
  signal: AbortSignal;
}

type Loaded = readonly [QueuedDelivery, ...QueuedDelivery[]];

/**
 * Sends the next deliveries of a lane, one after the other, until one has to be tried again, all
 * that was read is sent, or the process may not go on. What is first in the lane the store says, or
 * what this process stored itself behind all that is done: so nothing is sent before what came
 * before it, whoever worked on the lane last.
 *
 * The first of a lane always has the earliest `dueAt` that matters: the next one is woken before
 * the one in front of it is done, and those behind one that waits are taken out of sight, because
 * they would be found again and again for nothing.
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
    // Of an answer it may hold an address, which operators do not see.
    ...(reason === undefined || status !== undefined ? {} : { reason }),
    ...(attempted.next ? { nextAt: attempted.next.toISOString() } : {}),
  });
}

function isDue({ dueAt }: QueuedDelivery): boolean {
  return dueAt !== undefined && dueAt.getTime() <= storeNow();
}

// Without the wake, a lane whose process dies at this moment is found again a little later: not
// worth a write each time.
function isFoundSoon({ dueAt }: QueuedDelivery): boolean {
  return dueAt !== undefined && dueAt.getTime() <= storeNow() + SOON_MS;
}

// Those behind come into sight an hour after their turn may have come, in case that nobody woke
// them.
async function hideBehind(head: QueuedDelivery, dueAt: Date): Promise<void> {
  await deferLane([head], { now: storeDate(), until: new Date(dueAt.getTime() + HOUR_MS) });
}

// What has been queued since the lane was read is hidden when it is found.
function isAnyVisible(followers: readonly QueuedDelivery[], until: Date): boolean {
  return followers.length >= BATCH || followers.some(({ dueAt }) => dueAt && dueAt <= until);
}

/**
 * Holds all back that is pending in a lane whose service is not to be sent to now: it is being
 * verified, was refused, or an admin has disabled it. Where it has become active meanwhile the lane
 * has another turn.
 *
 * That something may be held back is noted before it is, and again where the service turned active
 * in between: whoever held it back may die at any moment.
 */
async function holdBack(lane: ActiveLane): Promise<void> {
  const service = await findReceiver(lane.service);
  if (service?.status === 'active') {
    lane.again = true;
    return;
  }
  // What is given up is skipped, not held back.
  if (!service || isGivenUp(service)) return;
  if (service.heldBack === undefined) await noteHeldBack(lane.service);
  await holdLane(lane.id, storeDate());
  await markForRelease([lane.service]);
}

interface LaneRunDeps extends Omit<LaneDeps, 'signal' | 'attempts'> {
  log: { warn: (facts: object, message: string) => void };
  /** Cuts the attempts of a shard off; null: the shard is not drained. */
  getCutSignal: (shard: number) => AbortSignal | null;
}

/** The lanes that are worked on. */
export interface LaneRuns {
  /** Does not reject: what could not be done is found again. */
  run: (lane: ActiveLane) => Promise<AttemptResult>;
  /**
   * Cuts attempts off that are sent for a service to another url than this; their lanes have
   * another turn.
   */
  cutOtherUrls(service: string, url: string): void;
}

export function createLaneRuns(deps: LaneRunDeps): LaneRuns {
  const attempts = createAttemptWriter();
  const running = new Map<ActiveLane, AbortController>();

  async function runWith(lane: ActiveLane, end: AbortController): Promise<AttemptResult> {
    try {
      return await runLane({ ...deps, attempts, signal: end.signal }, lane);
    } catch (error) {
      // The store did not answer, or the attempt was cut off.
      if (!end.signal.aborted)
        deps.log.warn({ err: error, lane: lane.id }, 'a delivery lane was interrupted');
      return null;
    }
  }

  return {
    async run(lane) {
      const shardEnds = deps.getCutSignal(lane.shard);
      if (!shardEnds || !deps.mayGoOn(lane.shard)) return null;
      // Not AbortSignal.any: a signal that lives for hours would remember every one that was made
      // of it.
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
