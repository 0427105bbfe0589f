const FIRST_MS = 200;
const MAX_MS = 10_000;

/** A process that lived this long was well; its next end counts as the first again. */
export const WELL_AFTER_MS = 10_000;

/**
 * How long to wait before a process is started again that has ended `failures` times in a row: 200
 * ms, doubling to 10 s.
 */
export function restartDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), MAX_MS);
}
