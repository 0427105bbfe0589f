import type { FailingService } from '../domain/delivery/drain-report.ts';

/** What this process knows of services that fail. */
export interface RecentFailures {
  failed(service: string, shard: number, failure: Omit<FailingService, 'service'>): void;
  answered(service: string): void;
  /** Those of a shard, the latest failure first. */
  listByShard(shard: number): FailingService[];
}

const MAX_SHOWN = 20;

export function createRecentFailures(): RecentFailures {
  const failures = new Map<string, { shard: number; failing: FailingService }>();
  return {
    failed(service, shard, failure) {
      failures.set(service, { shard, failing: { service, ...failure } });
    },
    answered: (service) => void failures.delete(service),
    listByShard: (shard) =>
      [...failures.values()]
        .filter((one) => one.shard === shard)
        .map(({ failing }) => failing)
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, MAX_SHOWN),
  };
}
