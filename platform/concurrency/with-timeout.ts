/**
 * What `work` resolves to, or rejects with; after `timeoutMs` what `otherwise` answers, or throws.
 * The work itself goes on. The timer keeps no process alive.
 */
export async function withTimeout<T, F>(
  work: Promise<T>,
  timeoutMs: number,
  otherwise: () => F | Promise<F>,
): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs).unref();
  });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    clearTimeout(timer);
  }
}
