import { StoreError } from '../errors.ts';

const SLICE_MS = 5;

/** Divides the only thread between long commands. Call `rest` after each document. */
export interface Pace {
  /**
   * Returns undefined while the slice lasts, otherwise a promise of the next turn. Throws
   * MaxTimeMSExpired (50) after the time limit.
   */
  rest(): Promise<void> | undefined;
}

export function createPace(limitMs?: number): Pace {
  const begun = performance.now();
  let sliceBegun = begun;
  return {
    rest() {
      const now = performance.now();
      if (now - sliceBegun < SLICE_MS) return undefined;
      if (limitMs !== undefined && now - begun > limitMs)
        throw new StoreError('MaxTimeMSExpired', 'operation exceeded time limit');
      return turnAfter(now - sliceBegun).then(() => {
        sliceBegun = performance.now();
      });
    },
  };
}

const waiting: (() => void)[] = [];
let arrived = 0;
let known = 0;
let restsUntil = 0;

export function noteArrival(): void {
  arrived++;
}

/**
 * Resolves at the command's next turn. If a new command arrived, the thread first stays free as
 * long as the last slice took, because the client will probably send more.
 */
function turnAfter(tookMs: number): Promise<void> {
  restsUntil = performance.now() + tookMs;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  const leftMs = restsUntil - performance.now();
  if (arrived !== known && leftMs > 0) {
    known = arrived;
    setTimeout(next, leftMs);
    return;
  }
  known = arrived;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
