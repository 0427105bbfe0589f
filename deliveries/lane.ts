import { waitsUntil } from '../domain/delivery/retry-ladder.ts';
import { deferLane, findLane, wakeDelivery } from '../store/delivery/queue.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import type { ActiveLane } from './active-lane.ts';
import { attemptDelivery, recordAttempted } from './attempt.ts';
import type { AttemptMetrics } from './attempt-metrics.ts';
import type { AttemptDeps, Attempted } from './attempt.ts';
import type { AttemptWriter } from './attempt-writer.ts';
import type { LaneCache, LaneTurn } from './lane-cache.ts';
import type { RecentFailures } from './recent-failures.ts';
import { holdBack } from './held-services.ts';
import type { ServiceHealth } from './service-health.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';

/** Deliveries read at once. */
const BATCH = 16;
const SOON_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface LaneDeps extends AttemptDeps {
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
export async function runLane(deps: LaneDeps, lane: ActiveLane): Promise<{ answers: boolean } | null> {
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
