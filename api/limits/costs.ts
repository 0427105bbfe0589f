/** What work took lately, by the nodes of a tree that it was for. */
export interface Costs {
  /** In milliseconds; 0 while nobody knows. */
  of: (node: string) => number;
  note: (node: string, costMs: number) => void;
  /** How much of it may be under way at once: some seconds of work. */
  maxAtOnce: (node: string) => number;
}

const MAX_KNOWN = 10_000;
const WORK_MS = 4_000;
const MIN_AT_ONCE = 2;
/** What is taken for, until its first one has ended, what nobody knows. */
const UNKNOWN_MS = 500;
/** It rises at once, and falls by a part of the difference. */
const FALLS_BY = 1 / 8;

/** The costs of those noted last. */
export function createCosts(): Costs {
  const known = new Map<string, number>();
  return {
    of: (node) => known.get(node) ?? 0,
    note(node, costMs) {
      const before = known.get(node) ?? costMs;
      known.delete(node);
      known.set(node, costMs > before ? costMs : before + (costMs - before) * FALLS_BY);
      const [oldest] = known.keys();
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    },
    maxAtOnce: (node) => Math.max(MIN_AT_ONCE, WORK_MS / Math.max(1, known.get(node) ?? UNKNOWN_MS)),
  };
}
