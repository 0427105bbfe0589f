import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { attemptTotals, countHeld, countPending, findOldestPending } from '../../store/delivery/figures.ts';

const MAX_AGE_MS = 5_000;
/** A store that does not answer must not hold up the other metrics. */
const TIMEOUT_MS = 2_000;
const MAX_COUNTED = 100_000;

type Figures = Awaited<ReturnType<typeof load>>;

/**
 * Metrics of deliveries. Workers answer no requests, so every API process shows the same figures,
 * from the store, for all workers together: read them from one process. While the store does not
 * answer they are missing.
 */
export function registerDeliveryMetrics(registry: Registry, shards: number): void {
  const all = [...Array(shards).keys()];
  const figures = ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => load(all) });
  const now = () =>
    withTimeout(
      figures.get('all').catch(() => null),
      TIMEOUT_MS,
      () => null,
    );
  gauge(registry, now, {
    name: 'parlance_deliveries_pending',
    help: `Deliveries that wait to be made, counted up to ${MAX_COUNTED}`,
    value: ({ pending }) => pending,
  });
  gauge(registry, now, {
    name: 'parlance_deliveries_held',
    help: `Deliveries that wait for their service to become active, counted up to ${MAX_COUNTED}`,
    value: ({ held }) => held,
  });
  gauge(registry, now, {
    name: 'parlance_deliveries_oldest_pending_seconds',
    help: 'How long ago the event happened that has waited longest; 0: none waits',
    value: ({ oldestSeconds }) => oldestSeconds,
  });
  new Counter({
    name: 'parlance_delivery_attempts_total',
    help: 'Attempts of all workers to reach webhooks, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
    async collect() {
      const attempts: Record<string, number> = (await now())?.attempts ?? {};
      this.reset();
      for (const [outcome, count] of Object.entries(attempts)) this.inc({ outcome }, count);
    },
  });
}

function gauge(
  registry: Registry,
  now: () => Promise<Figures | null>,
  { name, help, value }: { name: string; help: string; value: (figures: Figures) => number },
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const figures = await now();
      if (figures) this.set(value(figures));
      else this.remove();
    },
  });
}

async function load(shards: readonly number[]) {
  const [pending, held, oldest, attempts] = await Promise.all([
    countPending(shards, MAX_COUNTED),
    countHeld(shards, MAX_COUNTED),
    findOldestPending(shards),
    attemptTotals(),
  ]);
  return { pending, held, oldestSeconds: oldest ? secondsSince(oldest) : 0, attempts };
}

// The event has its time from the servers: they may be a little ahead of one another.
function secondsSince(at: Date): number {
  return Math.max(0, storeNow() - at.getTime()) / 1000;
}
