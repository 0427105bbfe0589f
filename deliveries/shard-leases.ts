import { setTimeout as wait } from 'node:timers/promises';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { findHeldLeases, releaseLease, takeLease } from '../store/cluster/leases.ts';

const CONFIRM_EVERY_MS = 500;
const VALID_MS = 1_500;
/** Wait after taking a lease from another process, until that process has surely stopped. */
const TAKE_OVER_WAIT_MS = VALID_MS + CONFIRM_EVERY_MS;

interface HeldLease {
  epoch: number;
  /** Monotonic clock of this process: clocks of two machines are never compared. */
  confirmedAt: number;
  lose: AbortController;
}

/**
 * Leases of the shards that this process drains. At most one process drains a shard, except for an
 * attempt in progress (spec 7.8).
 */
export interface ShardLeases {
  /**
   * Takes the lease. Resolves when no other process works on the shard. The returned signal is
   * aborted when the lease is lost or released.
   */
  take(shard: number, signal: AbortSignal): Promise<AbortSignal>;
  holds(shard: number): boolean;
  release(shard: number, lost: AbortSignal): Promise<void>;
}

/** `owner` is the unique name of a process, never reused. */
export function createShardLeases(owner: string): ShardLeases {
  const held = new Map<number, HeldLease>();
  const confirming = repeatingTask(() => confirm(held, owner), {
    everyMs: CONFIRM_EVERY_MS,
    waitsFirst: true,
    isWanted: () => held.size > 0,
    // An unconfirmed lease expires, so errors need no handling.
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
      // The lease is not valid until it is confirmed, here or by the loop.
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
