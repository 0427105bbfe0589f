import { lruMap } from '../platform/concurrency/lru-map.ts';
import type { DueDelivery, QueuedDelivery } from '../store/delivery/queue.ts';

const MAX_LANES = 5_000;
/**
 * Time for which handed-off rows may replace a read of the store. Must be shorter than the
 * take-over wait of another process (shard-leases.ts).
 */
const GOOD_FOR_MS = 400;

/** Events of one conversation that only this process stored, with all their pending deliveries. */
export interface HandedOffEvents {
  after: number;
  through: number;
  rows: readonly (QueuedDelivery & DueDelivery)[];
}

export interface LaneTurn {
  /** All pending deliveries of the lane in order; null: read them from the store. */
  rows: QueuedDelivery[] | null;
  /**
   * Call it when no delivery of the turn is pending any more. `last` is the highest sequence of the
   * turn.
   */
  allDone: (last: number) => void;
}

/**
 * Saves reads of a lane from the store. Once a lane is empty, this process knows its pending
 * deliveries as long as every later event is handed off without a gap. Otherwise the store is read.
 */
export interface LaneCache {
  handOff: (fresh: HandedOffEvents) => void;
  /** Allows one open turn per lane. */
  begin: (lane: string, max: number) => LaneTurn;
}

interface Memory {
  /** `rows` holds all pending deliveries up to this sequence, except replays. */
  through: number;
  /** Null: the store may have more rows. */
  rows: QueuedDelivery[] | null;
  /** When the first row was handed off, by the monotonic clock. */
  since: number;
  open: boolean;
}

export function createLaneCache(): LaneCache {
  const lanes = lruMap<string, Memory>(MAX_LANES);

  function getMemory(lane: string): Memory {
    const known = lanes.get(lane);
    if (known) return known;
    const memory = { through: 0, rows: [], since: 0, open: false };
    lanes.set(lane, memory);
    return memory;
  }

  return {
    handOff({ after, through, rows }) {
      for (const lane of new Set(rows.map((row) => row.lane))) {
        const memory = getMemory(lane);
        if (memory.rows?.length === 0) memory.since = performance.now();
        const known = memory.through === after ? memory.rows : null;
        memory.rows = known && [...known, ...rows.filter((row) => row.lane === lane)];
        memory.through = Math.max(memory.through, through);
      }
    },
    begin: (lane, max) => beginTurn(getMemory(lane), max),
  };
}

function beginTurn(memory: Memory, max: number): LaneTurn {
  const { through, rows, since, open } = memory;
  const isFresh = performance.now() - since < GOOD_FOR_MS;
  const good = rows && rows.length > 0 && rows.length <= max && isFresh && !open ? rows : null;
  memory.rows = good ? [] : null;
  memory.open = true;
  return {
    rows: good,
    allDone(last) {
      memory.open = false;
      // The read may or may not include rows that were handed off during it.
      if (good || memory.through !== through) return;
      memory.rows = [];
      memory.through = Math.max(through, last);
    },
  };
}
