import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { registerEventOutcomes } from '../../application/business-events/report-failure.ts';
import { registerBlockedPosts } from '../../application/posting/blocked.ts';
import type { ApiConfig } from '../../platform/config/processes.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { attemptTotals, countHeld, countPending, findOldestPending } from '../../store/delivery/metrics.ts';

interface FinishedRequest {
  method: string;
  pattern: string;
  status: number;
  code: string | undefined;
  seconds: number;
}

export interface Metrics {
  requestBegins: () => void;
  requestEnds: (request: FinishedRequest) => void;
  text: () => Promise<string>;
  contentType: string;
}

/** Labels requests with route patterns: paths contain ids and would create unbounded series. */
export function createMetrics(
  { deliveryShards, deadlines }: Pick<ApiConfig, 'deliveryShards' | 'deadlines'>,
  { shared }: { shared: () => boolean },
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerDeliveryMetrics(registry, deliveryShards, deadlines.deliveryMetrics);
  const { duration, refusals, underWay } = requestMetrics(registry);
  registerSharing(registry, shared);
  registerEventOutcomes(registry);
  registerBlockedPosts(registry);
  return {
    requestBegins: () => underWay.inc(),
    requestEnds({ method, pattern, status, code, seconds }) {
      underWay.dec();
      duration.observe({ method, route: pattern, status: String(status) }, seconds);
      if (code !== undefined) refusals.inc({ code });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function requestMetrics(registry: Registry) {
  const registers = [registry];
  const duration = new Histogram({
    name: 'parlance_http_request_duration_seconds',
    help: 'Time from the request to its response; its count is the number of responses',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  const refusals = new Counter({
    name: 'parlance_http_refusals_total',
    help: 'Requests refused, by error code; rate_limited is the rate limit',
    labelNames: ['code'] as const,
    registers,
  });
  const underWay = new Gauge({
    name: 'parlance_http_requests_under_way',
    help: 'Requests that have no response yet',
    registers,
  });
  return { duration, refusals, underWay };
}

function registerSharing(registry: Registry, shared: () => boolean): void {
  new Gauge({
    name: 'parlance_rate_limit_shared',
    help: '1 while other API processes share the rate limits with this process',
    registers: [registry],
    collect() {
      this.set(shared() ? 1 : 0);
    },
  });
}

const MAX_AGE_MS = 5_000;
const MAX_COUNTED = 100_000;

type Figures = Awaited<ReturnType<typeof load>>;

/**
 * Registers totals of all workers. All API processes report the same totals, so read one process.
 * The totals are missing while the store does not respond within `timeoutMs`, so that a slow store
 * does not delay the other metrics.
 */
function registerDeliveryMetrics(registry: Registry, shards: number, timeoutMs: number): void {
  const all = [...Array(shards).keys()];
  const figures = ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => load(all) });
  const now = () =>
    withTimeout(
      figures.get('all').catch(() => null),
      timeoutMs,
      () => null,
    );
  gauge(registry, now, {
    name: 'parlance_deliveries_pending',
    help: `Pending deliveries to active services, counted up to ${MAX_COUNTED}`,
    value: ({ pending }) => pending,
  });
  gauge(registry, now, {
    name: 'parlance_deliveries_held',
    help: `Deliveries that wait for their service to become active, counted up to ${MAX_COUNTED}`,
    value: ({ held }) => held,
  });
  gauge(registry, now, {
    name: 'parlance_deliveries_oldest_pending_seconds',
    help: 'Age of the event of the oldest pending delivery; 0 without a pending delivery',
    value: ({ oldestSeconds }) => oldestSeconds,
  });
  new Counter({
    name: 'parlance_delivery_attempts_total',
    help: 'Delivery attempts of all workers, by outcome',
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

// Clocks of servers may differ slightly.
function secondsSince(at: Date): number {
  return Math.max(0, storeNow() - at.getTime()) / 1000;
}
