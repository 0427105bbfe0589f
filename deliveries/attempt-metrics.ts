import type { AttemptOutcome } from '../domain/delivery/delivery.ts';
import { addAttempts } from '../store/delivery/figures.ts';

/** Counts attempts by outcome in memory, and in the store from time to time. */
export interface AttemptMetrics {
  count(outcome: AttemptOutcome): void;
  /** Adds what was counted since the last time to what is stored. */
  store: () => Promise<void>;
}

export function createAttemptMetrics(): AttemptMetrics {
  let counted = new Map<AttemptOutcome, number>();
  const add = (outcome: AttemptOutcome, more: number) =>
    void counted.set(outcome, (counted.get(outcome) ?? 0) + more);
  return {
    count: (outcome) => add(outcome, 1),
    async store() {
      if (counted.size === 0) return;
      const stored = counted;
      counted = new Map();
      try {
        await addAttempts(stored);
      } catch (error) {
        for (const [outcome, count] of stored) add(outcome, count);
        throw error;
      }
    },
  };
}
