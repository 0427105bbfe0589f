import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { createUsage } from '../../domain/limits/shares.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';
import { LIMITS } from './limits.ts';

/** Who may have one of so many processes. */
export interface Turns {
  may: (line: TenantPath) => boolean;
  /** Answers what is to be called at its end. */
  begin: (line: TenantPath) => () => void;
  /** For how long a run held its process. */
  note: (line: TenantPath, costMs: number) => void;
}

const MAX_SLOW = 10_000;

/**
 * A branch of the tree of organizations never holds all processes. Slow ones, those that had a run
 * of more than half a second lately, with whatever is above and below them, together leave one that
 * runs and is not theirs: what they cost is soon replaced, but not at once. So what is quick is
 * never kept waiting by what is not, however many organizations that comes from. `alive`: how many
 * run.
 */
export function createTurns(size: number, alive: () => number, now = () => performance.now()): Turns {
  const max = Math.max(1, size - 1);
  const running = createUsage();
  const slowUntil = lruMap<string, number>(MAX_SLOW);
  let slowRunning = 0;

  const leavesOne = () => alive() - slowRunning > 1;

  const isSlow = (line: TenantPath) =>
    line.some((node, level) => level > 0 && (slowUntil.peek(node) ?? 0) > now());

  return {
    may: (line) => running.of(getBranch(line)) < max && (size === 1 || leavesOne() || !isSlow(line)),
    begin(line) {
      const slow = isSlow(line) ? 1 : 0;
      slowRunning += slow;
      running.add(line, 1);
      return () => {
        slowRunning -= slow;
        running.add(line, -1);
      };
    },
    note(line, costMs) {
      if (costMs <= LIMITS.slowMs) return;
      // Not the root: that is above everybody.
      for (const node of line.slice(1)) slowUntil.set(node, now() + LIMITS.slowForMs);
    },
  };
}

function getBranch(line: TenantPath): string {
  return line[1] ?? line[0] ?? '';
}
