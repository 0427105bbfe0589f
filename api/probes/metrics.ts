import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { registerDeliveryMetrics } from './delivery-metrics.ts';

export interface Metrics {
  observeRequest: (request: { method: string; pattern: string; status: number; seconds: number }) => void;
  /** All metrics in Prometheus' text format. */
  text: () => Promise<string>;
  contentType: string;
}

/** Metrics of this process. Requests are told apart by route pattern, never by path: a path's ids would make series without end. */
export function createMetrics({ deliveryShards }: { deliveryShards: number }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerDeliveryMetrics(registry, deliveryShards);
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'parlance_http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'parlance_http_request_duration_seconds',
    help: 'Time from the request to its answer',
    labelNames,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [registry],
  });
  return {
    observeRequest({ method, pattern, status, seconds }) {
      const labels = { method, route: pattern, status: String(status) };
      requests.inc(labels);
      duration.observe(labels, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
