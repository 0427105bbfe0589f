import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is something, for ten seconds at most, then fails with `what` was awaited. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(20);
  }
}
