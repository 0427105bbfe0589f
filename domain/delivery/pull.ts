/** Bounds of one pull (spec 7.13). */
export const PULL = {
  /** Events. */
  limit: { default: 100, max: 500 },
  /** Seconds to wait for the first event. */
  wait: { default: 0, max: 20 },
  /** Seconds during which no other pull receives the events. */
  visibility: { default: 60, max: 3_600 },
} as const;

/** Events of one lane in one pull: a busy conversation leaves room for others. */
export const MAX_PULLED_PER_LANE = 25;

interface WaitingRow {
  lane: string;
}

/**
 * Returns how many events to take from which lanes, oldest first: at most `limit` events of lanes
 * that are not in flight.
 */
export function chooseLanes(
  rows: readonly WaitingRow[],
  { inFlight, limit }: { inFlight: ReadonlySet<string>; limit: number },
): Map<string, number> {
  const chosen = new Map<string, number>();
  let count = 0;
  for (const { lane } of rows) {
    const known = chosen.get(lane) ?? 0;
    if (inFlight.has(lane) || known >= MAX_PULLED_PER_LANE) continue;
    if (count >= limit) break;
    chosen.set(lane, known + 1);
    count += 1;
  }
  return chosen;
}
