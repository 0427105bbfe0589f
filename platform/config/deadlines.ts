/**
 * Times in milliseconds after which a process stops waiting for the store, Temporal or another
 * process. DEADLINE_FACTOR multiplies them. The table has no times that users or other systems rely
 * on, and no waits after which the product tries again.
 */
export const DEADLINES_MS = {
  /** A post or another change of a conversation, or the start of another workflow. */
  workflowRequest: 20_000,
  eventRun: 20_000,
  /** A repetition waits this long for the first request with its Idempotency-Key. */
  repeatedRequest: 40_000,
  /** Without an extension, another process may take over the Idempotency-Key of a request. */
  keyClaim: 10_000,
  keyClaimExtension: 3_000,
  readiness: 2_000,
  deliveryMetrics: 2_000,
  sharedRequestCount: 1_000,
};

export type Deadlines = Readonly<Record<keyof typeof DEADLINES_MS, number>>;

export function scaleDeadlines(factor: number): Deadlines {
  const scaled = Object.entries(DEADLINES_MS).map(([name, ms]) => [name, Math.round(ms * factor)]);
  return Object.fromEntries(scaled) as Deadlines;
}
