/**
 * How many conversations a worker keeps at hand (docs/decisions/worker-memory.md). With one more,
 * the one that was asked longest ago goes, and is replayed from its history when it is asked again.
 */
export const MAX_CACHED_WORKFLOWS = 2_000;
