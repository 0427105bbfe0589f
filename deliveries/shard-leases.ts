import { setTimeout as wait } from 'node:timers/promises';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { findHeldLeases, releaseLease, takeLease } from '../store/cluster/leases.ts';

const CONFIRM_EVERY_MS = 500;
const VALID_MS = 1_500;
/** Time after which the former owner of a lease surely starts no more attempts. */
const TAKE_OVER_WAIT_MS = VALID_MS + CONFIRM_EVERY_MS;

interface HeldLease {
  epoch: number;
  /** By the monotonic clock of this process. */
  confirmedAt: number;
  lose: AbortController;
}

/**
 * Lets at most one process drain a shard. Only an attempt in progress may outlast the lease (spec
 * 7.8).
 */
export class ShardLeases {
  readonly #owner: string;
  readonly #held = new Map<number, HeldLease>();
  readonly #confirming = repeatingTask(() => this.#confirm(), {
    everyMs: CONFIRM_EVERY_MS,
    waitsFirst: true,
    isWanted: () => this.#held.size > 0,
    // An unconfirmed lease expires, so errors need no handling.
    onError: () => undefined,
  });

  constructor(owner: string) {
    this.#owner = owner;
  }

  /**
   * Resolves when no other process works on the shard. The returned signal is aborted when the
   * lease is lost or released.
   */
  async take(shard: number, signal: AbortSignal): Promise<AbortSignal> {
    const { epoch, previousOwner } = await takeLease(leaseId(shard), this.#owner, storeDate());
    this.#lose(shard, 'This process has taken the shard again.');
    if (previousOwner !== undefined && previousOwner !== this.#owner) {
      await wait(TAKE_OVER_WAIT_MS, undefined, { signal });
    }
    const lose = new AbortController();
    // The lease is not valid until confirmed.
    this.#held.set(shard, { epoch, confirmedAt: -Infinity, lose });
    await this.#confirm().catch(() => undefined);
    this.#confirming.start();
    return lose.signal;
  }

  holds(shard: number): boolean {
    const lease = this.#held.get(shard);
    return lease !== undefined && performance.now() - lease.confirmedAt < VALID_MS;
  }

  async release(shard: number, lost: AbortSignal): Promise<void> {
    const lease = this.#held.get(shard);
    if (!lease || lease.lose.signal !== lost) return;
    this.#lose(shard, 'The shard was given back.');
    await releaseLease(leaseId(shard), this.#owner, lease.epoch);
  }

  #lose(shard: number, reason: string): void {
    const lease = this.#held.get(shard);
    this.#held.delete(shard);
    lease?.lose.abort(new Error(reason));
  }

  async #confirm(): Promise<void> {
    const askedAt = performance.now();
    const asked = [...this.#held];
    const stored = await findHeldLeases(
      asked.map(([shard]) => leaseId(shard)),
      this.#owner,
    );
    for (const [shard, lease] of asked) {
      if (stored.get(leaseId(shard)) === lease.epoch) lease.confirmedAt = askedAt;
      else if (this.#held.get(shard) === lease) this.#lose(shard, 'Another process has taken the shard.');
    }
  }
}

function leaseId(shard: number): string {
  return `delivery:${shard}`;
}
