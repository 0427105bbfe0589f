const FIRST_MS = 250;
const MAX_MS = 8_000;
/** The longest time of a timer: `setTimeout` with more ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * How long to wait before the next attempt, in milliseconds: twice as long each time, spread so
 * that callers who failed together do not come back together; never less than Parlance asked for.
 */
export function backoffMs(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number = Math.random(),
): number {
  const spread = Math.min(MAX_MS, FIRST_MS * 2 ** attempt) * (0.5 + random / 2);
  return retryAfterSeconds === undefined ? spread : retryAfterSeconds * 1000 + random * FIRST_MS;
}

/** Waits, at most 24 days; rejects with the signal's reason where that ends first. */
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
 * Runs something with a signal that ends after so long, or with the given one. Not
 * `AbortSignal.any`: a signal that lives for days would remember all that were made of it.
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
