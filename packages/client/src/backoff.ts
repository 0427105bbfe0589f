const FIRST_MS = 250;
const MAX_MS = 8_000;
/** Longest delay of a timer: `setTimeout` fires at once for a longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns the delay before the next attempt, in milliseconds. It doubles with each attempt, with
 * random jitter, up to 8 s; with `Retry-After` it is at least that long.
 */
export function backoffMs(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number = Math.random(),
): number {
  const spread = Math.min(MAX_MS, FIRST_MS * 2 ** attempt) * (0.5 + random / 2);
  return retryAfterSeconds === undefined ? spread : retryAfterSeconds * 1000 + random * FIRST_MS;
}

/** Waits for `ms`, at most 24 days. Rejects with the signal's reason when the signal aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Runs `run` with a signal that aborts after `ms` or when `signal` aborts. Avoids
 * `AbortSignal.any`, because a long-lived signal would keep every derived signal in memory.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  const timer = setTimeout(
    () => end.abort(new Error(`no answer within ${ms} ms`)),
    Math.min(ms, MAX_TIMER_MS),
  );
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await run(end.signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
