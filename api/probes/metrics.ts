import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { registerDeliveryMetrics } from './delivery-metrics.ts';

/** A request that was answered. */
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
  /** All metrics in Prometheus' text format. */
  text: () => Promise<string>;
  contentType: string;
}

/**
 * Metrics of this process. Requests are told apart by route pattern, never by path: a path's ids
 * would make series without end.
 */
export function createMetrics(
  { deliveryShards }: { deliveryShards: number },
  { shared }: { shared: () => boolean },
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerDeliveryMetrics(registry, deliveryShards);
  const { duration, refusals, underWay } = requestMetrics(registry);
  registerSharing(registry, shared);
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
    help: 'Time from the request to its answer; its count is the number of requests answered',
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
    help: 'Requests received and not answered yet',
    registers,
  });
  return { duration, refusals, underWay };
}

function registerSharing(registry: Registry, shared: () => boolean): void {
  new Gauge({
    name: 'parlance_rate_limit_shared',
    help: '1 while other API processes count requests along with this one',
    registers: [registry],
    collect() {
      this.set(shared() ? 1 : 0);
    },
  });
}
