import { hasFairShare, createUsage } from '../../domain/limits/shares.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';

/** The way out of a place. */
export type Leave = () => void;

/** Places for so many at once, shared fairly by the tree of organizations. */
export interface Places {
  /**
   * Resolves when the line has a place; without one where too many of its end wait, or it waited
   * for too long.
   */
  enter: (line: TenantPath) => Promise<Leave | undefined>;
}

interface Limits {
  max: number;
  /** How many the end of a line may have at once. */
  maxEach: number;
  /** How many of the end of a line may wait, and how long. */
  maxWaiting: number;
  maxWaitMs: number;
}

export function createPlaces({ max, maxEach, maxWaiting, maxWaitMs }: Limits): Places {
  const inside = createUsage();
  const waiting = new Map<() => void, string>();

  function tryEnter(line: TenantPath): Leave | undefined {
    if (inside.of(endOf(line)) >= maxEach || !hasFairShare(line, inside, max)) return undefined;
    inside.add(line, 1);
    return () => {
      inside.add(line, -1);
      // Who waits longest stands first.
      for (const tryAgain of [...waiting.keys()]) tryAgain();
    };
  }

  return {
    enter(line) {
      const leave = tryEnter(line);
      const before = [...waiting.values()].filter((end) => end === endOf(line)).length;
      if (leave || before >= maxWaiting) return Promise.resolve(leave);
      return new Promise((resolve) => {
        const end = (way: Leave | undefined) => {
          clearTimeout(timer);
          waiting.delete(tryAgain);
          resolve(way);
        };
        const tryAgain = () => {
          const way = tryEnter(line);
          if (way) end(way);
        };
        const timer = setTimeout(end, maxWaitMs, undefined);
        waiting.set(tryAgain, endOf(line));
      });
    },
  };
}

function endOf(line: TenantPath): string {
  return line.at(-1) ?? '';
}
