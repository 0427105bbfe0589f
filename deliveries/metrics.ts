import type { AttemptOutcome } from '../domain/delivery/delivery.ts';
import type { FailingService } from '../domain/delivery/drain-report.ts';
import { addAttempts } from '../store/delivery/metrics.ts';

export class AttemptMetrics {
  #counted = new Map<AttemptOutcome, number>();

  count(outcome: AttemptOutcome, more = 1): void {
    this.#counted.set(outcome, (this.#counted.get(outcome) ?? 0) + more);
  }

  async store(): Promise<void> {
    if (this.#counted.size === 0) return;
    const stored = this.#counted;
    this.#counted = new Map();
    try {
      await addAttempts(stored);
    } catch (error) {
      for (const [outcome, count] of stored) this.count(outcome, count);
      throw error;
    }
  }
}

const MAX_SHOWN = 20;

export class RecentFailures {
  readonly #failures = new Map<string, { shard: number; failing: FailingService }>();

  failed(shard: number, failing: FailingService): void {
    this.#failures.set(failing.service, { shard, failing });
  }

  answered(service: string): void {
    this.#failures.delete(service);
  }

  listByShard(shard: number): FailingService[] {
    return [...this.#failures.values()]
      .filter((failure) => failure.shard === shard)
      .map(({ failing }) => failing)
      .sort((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, MAX_SHOWN);
  }
}
