import type { CDPSession, Page } from 'playwright-core';

/** Counts what the scripts of a page run: a number that no slow or busy machine changes. */
export interface ScriptWork {
  /** Returns the number of blocks of code that ran since the last call. */
  since: () => Promise<number>;
}

/** Begins to count, of scripts whose address fulfils a condition. */
export async function countScriptWork(
  page: Page,
  counts: (url: string) => boolean = () => true,
): Promise<ScriptWork> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async since() {
      const { result } = await session.send('Profiler.takePreciseCoverage');
      return result
        .filter(({ url }) => counts(url))
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
        .reduce((sum, { count }) => sum + count, 0);
    },
  };
}
