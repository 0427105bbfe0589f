import type { TenantPath } from './shares.ts';

/**
 * What everybody may use of something: so much at once, and what was used is given back as time
 * goes by.
 */
export interface Allowance {
  max: number;
  /** What is given back in each millisecond. */
  backPerMs: number;
}

/** Who has used how much. Times are milliseconds. */
export interface Allowances {
  /** How long the line has to wait until it may use more; 0: it may now. */
  waitMs: (line: TenantPath, now: number) => number;
  use: (line: TenantPath, amount: number, now: number) => void;
}

const MAX_NODES = 10_000;

/**
 * Every node of a line has an allowance of its own, and what the line uses counts at each. One may
 * be overdrawn, by what nobody knew before; until that is given back there is no more. An
 * organization's that is overdrawn stops only those below it who have used half of theirs.
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
    use(line, amount, now) {
      for (const node of line) {
        const sum = currentUse(node, now) + amount;
        // What was used last stands last.
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
/**
 * Time as several who work at once share it: of two that run side by side each takes half of it.
 * Times are milliseconds.
 */
interface SharedTime {
  /** Begins a piece of work; what it answers ends it, and tells how much of the time it took. */
  begin: (now: number) => (now: number) => number;
}

export function createSharedTime(): SharedTime {
  let underWay = 0;
  let countedTo = 0;
  /** What somebody who was under way from the beginning would have taken by now. */
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
