import { hasFairShare, createUsage } from '../../domain/limits/shares.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';

export type Release = () => void;

/** Shares its slots fairly between tenants. */
export interface FairSemaphore {
  /** Resolves with undefined if too many entries wait, or after `maxWaitMs`. */
  enter: (line: TenantPath) => Promise<Release | undefined>;
}

interface Limits {
  max: number;
  /** This and `maxWaiting` apply to the last node of a tenant path. */
  maxEach: number;
  maxWaiting: number;
  maxWaitMs: number;
}

export function createFairSemaphore({ max, maxEach, maxWaiting, maxWaitMs }: Limits): FairSemaphore {
  const inside = createUsage();
  const waiting = new Map<() => void, string>();

  function tryEnter(line: TenantPath): Release | undefined {
    if (inside.of(getLastNode(line)) >= maxEach || !hasFairShare(line, inside, max)) return undefined;
    inside.add(line, 1);
    return () => {
      inside.add(line, -1);
      // Oldest first.
      for (const tryAgain of [...waiting.keys()]) tryAgain();
    };
  }

  return {
    enter(line) {
      const leave = tryEnter(line);
      const before = [...waiting.values()].filter((end) => end === getLastNode(line)).length;
      if (leave || before >= maxWaiting) return Promise.resolve(leave);
      return new Promise((resolve) => {
        const end = (way: Release | undefined) => {
          clearTimeout(timer);
          waiting.delete(tryAgain);
          resolve(way);
        };
        const tryAgain = () => {
          const way = tryEnter(line);
          if (way) end(way);
        };
        const timer = setTimeout(end, maxWaitMs, undefined);
        waiting.set(tryAgain, getLastNode(line));
      });
    },
  };
}

function getLastNode(line: TenantPath): string {
  return line.at(-1) ?? '';
}
