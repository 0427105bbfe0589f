const TICK_MS = 50;

/**
 * Calls `work(n)` at a constant rate, independent of response times. A call is skipped, and counted
 * as `skipped`, while `most` calls are in progress.
 */
export async function runAt(
  work: (n: number) => Promise<unknown>,
  { rate, seconds, most }: { rate: number; seconds: number; most: number },
): Promise<{ failures: string[]; skipped: number }> {
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let called = 0;
  let skipped = 0;
  for (;;) {
    const elapsed = (performance.now() - startedAt) / 1000;
    if (elapsed >= seconds) break;
    for (const due = Math.floor(elapsed * rate); called < due; called += 1) {
      if (underWay.size >= most) {
        skipped += 1;
        continue;
      }
      const call: Promise<void> = work(called)
        .catch((error: unknown) => void failures.push(String(error)))
        .then(() => void underWay.delete(call));
      underWay.add(call);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(underWay);
  return { failures, skipped };
}
