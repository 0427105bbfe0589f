/**
 * Waits for something that cannot be cut off itself, but no longer than until the signal; rejects
 * with its reason then.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let cut = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    cut = () => reject(signal.reason as Error);
    signal.addEventListener('abort', cut);
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', cut);
  }
}
