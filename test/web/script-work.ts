import type { CDPSession, Page } from 'playwright-core';

/**
 * Counts executed script blocks of a page, a measure that does not depend on the speed of the
 * machine.
 */
export interface ScriptWork {
  /** Returns the number of blocks executed since the last call. */
  since: () => Promise<number>;
}

/** Starts counting the executed blocks of the scripts for whose address `counts` returns true. */
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
