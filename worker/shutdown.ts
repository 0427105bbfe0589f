/** Time reserved for writes to the store and Temporal after the last attempt. */
const FINISH_MS = 1_000;

/** Returns the time before a stopping worker cancels its activities. */
export function shutdownGraceMs(timeoutMs: number): number {
  return Math.min(2_000, timeoutMs / 3);
}

/** Returns the time for attempts during a shutdown. Another worker repeats aborted attempts. */
export function attemptGraceMs({
  shutdownTimeoutMs,
  webhookTimeoutMs,
}: {
  shutdownTimeoutMs: number;
  webhookTimeoutMs: number;
}): number {
  const left = shutdownTimeoutMs - shutdownGraceMs(shutdownTimeoutMs) - FINISH_MS;
  return Math.max(0, Math.min(webhookTimeoutMs + FINISH_MS, left));
}
