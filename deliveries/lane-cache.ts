import { lruMap } from '../platform/concurrency/lru-map.ts';
import type { DueDelivery, QueuedDelivery } from '../store/delivery/queue.ts';

/** So many lanes are remembered, those used last. */
const MAX_LANES = 5_000;
/**
 * How long what was brought is as good as read from the store. Shorter than it takes another
 * process to send anything of a shard that it takes from this one (shard-leases.ts).
 */
const GOOD_FOR_MS = 400;

/**
 * Events of one conversation that were stored just now, by this process and nobody before, with all
 * that is pending of them.
 */
export interface HandedOffEvents {
  /** Number of the last event before them. */
  after: number;
  /** Number of the last of them. */
  through: number;
  /** In order. */
  rows: readonly (QueuedDelivery & DueDelivery)[];
}

/** One turn of a lane. */
export interface LaneTurn {
  /** All that is pending in the lane, in order; null: only the store knows. */
  rows: QueuedDelivery[] | null;
  /**
   * To be told when nothing of what the turn found is pending any more; `last` is the highest
   * number of it.
   */
  allDone: (last: number) => void;
}

/**
 * Spares a lane the question to the store what is pending in it. Once all in a lane is done, this
 * process knows what is pending there as long as it is brought every event from then on, without a
 * gap. In every other case the store is asked.
 */
export interface LaneCache {
  handOff: (fresh: HandedOffEvents) => void;
  /** For one turn of a lane at a time. */
  begin: (lane: string, max: number) => LaneTurn;
}

interface Memory {
  /**
   * Up to this event all that is pending is among the rows, but for what somebody made pending
   * again.
   */
  through: number;
  /** Null: there may be others. */
  rows: QueuedDelivery[] | null;
  /** When the first of the rows came, by the monotonic clock. */
  since: number;
  /** A turn has begun, and has not told that all of it is done. */
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
      // What came while the store was asked may or may not be in its answer.
      if (good || memory.through !== through) return;
      memory.rows = [];
      memory.through = Math.max(through, last);
    },
  };
}
