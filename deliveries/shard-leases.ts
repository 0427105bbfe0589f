import { setTimeout as wait } from 'node:timers/promises';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { findHeldLeases, releaseLease, takeLease } from '../store/cluster/leases.ts';

/** How often this process makes sure that its shards are still its own. */
const CONFIRM_EVERY_MS = 500;
/** How long a shard counts as held after that was last confirmed. */
const VALID_MS = 1_500;
/** How long one who takes a shard from somebody waits, so that the other has surely stopped. */
const TAKE_OVER_WAIT_MS = VALID_MS + CONFIRM_EVERY_MS;

interface HeldLease {
  epoch: number;
  /** By this process' monotonic clock: no two machines' clocks are compared. */
  confirmedAt: number;
  lose: AbortController;
}

/**
 * The shards that this process drains. At most one process drains a shard, but for the attempt it
 * is in (spec 7.8).
 */
export interface ShardLeases {
  /**
   * Takes a shard; resolves when no other process works on it any more. The signal is aborted when
   * it is lost or released.
   */
  take(shard: number, signal: AbortSignal): Promise<AbortSignal>;
  /** Whether the shard is surely this process' own at this moment. */
  holds(shard: number): boolean;
  /** Gives a shard back, unless it was lost or taken anew in between. */
  release(shard: number, lost: AbortSignal): Promise<void>;
}

/** `owner` is one process' name, never used again by another. */
export function createShardLeases(owner: string): ShardLeases {
  const held = new Map<number, HeldLease>();
  const confirming = repeatingTask(() => confirm(held, owner), {
    everyMs: CONFIRM_EVERY_MS,
    waitsFirst: true,
    isWanted: () => held.size > 0,
    // What is not confirmed in time does not count as held.
    onError: () => undefined,
  });

  return {
    async take(shard, signal) {
      const { epoch, previousOwner } = await takeLease(leaseId(shard), owner, storeDate());
      held.get(shard)?.lose.abort(new Error('The shard was taken anew by this process.'));
      held.delete(shard);
      if (previousOwner !== undefined && previousOwner !== owner) {
        await wait(TAKE_OVER_WAIT_MS, undefined, { signal });
      }
      const lose = new AbortController();
      // Not sure of it until it is confirmed, at the latest by the loop.
      held.set(shard, { epoch, confirmedAt: -Infinity, lose });
      await confirm(held, owner).catch(() => undefined);
      confirming.start();
      return lose.signal;
    },
    holds(shard) {
      const holding = held.get(shard);
      return holding !== undefined && performance.now() - holding.confirmedAt < VALID_MS;
    },
    async release(shard, lost) {
      const holding = held.get(shard);
      if (!holding || holding.lose.signal !== lost) return;
      held.delete(shard);
      holding.lose.abort(new Error('The shard was given back.'));
      await releaseLease(leaseId(shard), owner, holding.epoch);
    },
  };
}

async function confirm(held: Map<number, HeldLease>, owner: string): Promise<void> {
  const askedAt = performance.now();
  const asked = [...held];
  const stored = await findHeldLeases(
    asked.map(([shard]) => leaseId(shard)),
    owner,
  );
  for (const [shard, holding] of asked) {
    if (stored.get(leaseId(shard)) === holding.epoch) {
      holding.confirmedAt = askedAt;
    } else if (held.get(shard) === holding) {
      held.delete(shard);
      holding.lose.abort(new Error('Another process has taken the shard.'));
    }
  }
}

function leaseId(shard: number): string {
  return `delivery:${shard}`;
}
