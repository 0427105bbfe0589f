import { lruMap } from '../platform/concurrency/lru-map.ts';
import type { DueDelivery, QueuedDelivery } from '../store/delivery/queue.ts';

const MAX_LANES = 5_000;
/** Must be shorter than the take-over wait of another process (shard-leases.ts). */
const GOOD_FOR_MS = 400;

/** Events of a conversation with all their pending deliveries, stored by this process alone. */
export interface HandedOffEvents {
  after: number;
  through: number;
  rows: readonly (QueuedDelivery & DueDelivery)[];
}

export interface LaneTurn {
  /**
   * Pending deliveries of the lane in order. Replays may be missing. Null: read the lane from the
   * store.
   */
  rows: QueuedDelivery[] | null;
  /** Call only when no delivery up to the sequence `last` is pending any more. */
  allDone: (last: number) => void;
}

interface CachedLane {
  /** `rows` holds all pending deliveries up to this sequence, except replays. */
  through: number;
  /** Null: the store may have more rows. */
  rows: QueuedDelivery[] | null;
  /** Monotonic time at which the first of `rows` was handed off. */
  since: number;
  isOpen: boolean;
}

/**
 * Saves reads of lanes from the store. The cache of an empty lane stays complete as long as every
 * later event is handed off without a gap.
 */
export class LaneCache {
  readonly #lanes = lruMap<string, CachedLane>(MAX_LANES);

  handOff({ after, through, rows }: HandedOffEvents): void {
    for (const id of new Set(rows.map((row) => row.lane))) {
      const lane = this.#find(id);
      if (lane.rows?.length === 0) lane.since = performance.now();
      const known = lane.through === after ? lane.rows : null;
      lane.rows = known && [...known, ...rows.filter((row) => row.lane === id)];
      lane.through = Math.max(lane.through, through);
    }
  }

  /** Starts a turn. The lane's previous turn must have ended. */
  begin(id: string, max: number): LaneTurn {
    const lane = this.#find(id);
    const { through, rows, since, isOpen } = lane;
    const isFresh = performance.now() - since < GOOD_FOR_MS;
    const good = rows && rows.length > 0 && rows.length <= max && isFresh && !isOpen ? rows : null;
    lane.rows = good ? [] : null;
    lane.isOpen = true;
    return {
      rows: good,
      allDone(last) {
        lane.isOpen = false;
        // The read may lack rows that were handed off during it.
        if (good || lane.through !== through) return;
        lane.rows = [];
        lane.through = Math.max(through, last);
      },
    };
  }

  #find(id: string): CachedLane {
    const lane = this.#lanes.get(id) ?? { through: 0, rows: [], since: 0, isOpen: false };
    this.#lanes.set(id, lane);
    return lane;
  }
}
