/** Left for the store and the server after the last attempt. */
const FINISH_MS = 1_000;

/** How long a worker that is told to end goes on with activities before it tells them to end. */
export function shutdownGraceMs(timeoutMs: number): number {
  return Math.min(2_000, timeoutMs / 3);
}

/**
 * How long attempts to deliver may go on when the worker ends: what is cut off would be sent again
 * by another, so at best none is.
 */
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
