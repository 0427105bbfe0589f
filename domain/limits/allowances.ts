import type { TenantPath } from './fair-share.ts';

export interface Allowance {
  max: number;
  backPerMs: number;
}

export interface Allowances {
  /** Milliseconds until more may be used. */
  waitMs: (line: TenantPath, now: number) => number;
  /** The same for `amount`. A branch may use as much as all branches of its parent leave free. */
  fairWaitMs: (branch: readonly [parent: string, node: string], amount: number, now: number) => number;
  use: (line: TenantPath, amount: number, now: number) => void;
}

const MAX_NODES = 10_000;

/**
 * Counts usage at every node of a path. Costs are known after the work, so a node may be overdrawn.
 * An overdrawn organization blocks only descendants that used over half of their allowance.
 */
export function createAllowances({ max, backPerMs }: Allowance): Allowances {
  const uses = new Map<string, { amount: number; at: number }>();

  function currentUse(node: string, now: number): number {
    const { amount = 0, at = now } = uses.get(node) ?? {};
    return Math.max(0, amount - (now - at) * backPerMs);
  }

  function computeOverdraft(line: TenantPath, level: number, now: number): number {
    const [node = '', ...below] = line.slice(level);
    return Math.min(currentUse(node, now) - max, ...below.map((one) => currentUse(one, now) - max / 2));
  }

  return {
    waitMs: (line, now) =>
      Math.max(0, ...line.map((_, level) => computeOverdraft(line, level, now))) / backPerMs,
    fairWaitMs: ([parent, node], amount, now) =>
      Math.max(0, currentUse(parent, now) + currentUse(node, now) + amount - max) / backPerMs,
    use(line, amount, now) {
      for (const node of line) {
        const sum = currentUse(node, now) + amount;
        // Re-inserting keeps the order of last use.
        uses.delete(node);
        uses.set(node, { amount: sum, at: now });
      }
      for (const node of uses.keys()) {
        if (uses.size <= MAX_NODES) break;
        uses.delete(node);
      }
    },
  };
}

/** Splits time between concurrent work. Times are milliseconds. */
interface SharedTime {
  /** The returned function ends the work and returns its share. */
  begin: (now: number) => (now: number) => number;
}

export function createSharedTime(): SharedTime {
  let underWay = 0;
  let countedTo = 0;
  /** Share of a work that has run since `createSharedTime`. */
  let share = 0;

  function count(now: number): void {
    if (underWay > 0) share += (now - countedTo) / underWay;
    countedTo = now;
  }

  return {
    begin(now) {
      count(now);
      underWay += 1;
      const before = share;
      return (end) => {
        count(end);
        underWay -= 1;
        return share - before;
      };
    },
  };
}
