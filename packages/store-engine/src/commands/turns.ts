import { StoreError } from '../errors.ts';

/** How long a command works before others have their turn. */
const SLICE_MS = 5;

/**
 * How a long command shares the only thread: it asks after each document whether it has to rest.
 */
export interface Pace {
  /**
   * Nothing to wait for while the slice lasts; else resolves when it is this command's turn again.
   * Throws MaxTimeMSExpired (50) when the time allowed is over.
   */
  rest(): Promise<void> | undefined;
}

/** The pace of a command that may take so long by the clock; undefined: as long as it likes. */
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

/** Call for every command that arrives. */
export function noteArrival(): void {
  arrived++;
}

/**
 * Resolves when a long command has its turn, after a slice that took so long. There is one slice
 * between two looks at what has arrived, however many long commands there are; and where something
 * arrived meanwhile, the thread is free for as long as the slice took: whoever sent it is about to
 * send more.
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
