import type { ServerResponse } from 'node:http';
import type { Worker, WorkerStatus } from '@temporalio/worker';
import { registerEventOutcomes } from '../application/business-events/report-failure.ts';
import { registerBlockedPosts } from '../application/posting/blocked.ts';
import { PROBES } from '../platform/http/connections.ts';
import { createBoundedServer } from '../platform/http/server.ts';
import { ttlCache } from '../store/queries/ttl-cache.ts';
import { isStoreReachable } from '../store/connection/connect.ts';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { WAITS } from '../domain/conversations/waiting-times.ts';
import type { EndedWait } from '../domain/conversations/waiting-times.ts';

const MAX_AGE_MS = 200;

export interface ProbeOptions {
  at: { host: string; port: number };
  worker: Pick<Worker, 'getState' | 'getStatus'>;
  waits: WaitMetrics;
  temporalAnswers: TemporalAnswers;
  /** Of each check of `/readyz`. */
  timeoutMs: number;
}

type TemporalAnswers = (timeoutMs: number) => Promise<boolean>;

interface ProbeResponse {
  status: number;
  text: string;
  type?: string;
}

/**
 * Serves `/healthz`, `/metrics` and `/readyz`. `/readyz` responds 200 only while the worker takes
 * tasks and its dependencies respond.
 */
export async function startProbes(options: ProbeOptions): Promise<() => void> {
  const { at, worker, waits } = options;
  const metrics = createWorkerMetrics(worker, waits);
  const ready = ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => readiness(options) });
  const figures = ttlCache({ maxAgeMs: MAX_AGE_MS, max: 1, load: () => metrics.metrics() });
  const answers: Partial<Record<string, () => Promise<ProbeResponse>>> = {
    '/healthz': () => Promise.resolve(json(200, { status: 'ok' })),
    '/readyz': () => ready.get('all'),
    '/metrics': async () => ({ status: 200, text: await figures.get('all'), type: metrics.contentType }),
  };
  const server = createBoundedServer({
    handle(request, response) {
      const answer = answers[request.url?.split('?')[0] ?? ''] ?? notFound;
      answer().then(
        (one) => respond(response, one),
        () => respond(response, json(500, { status: 'failed' })),
      );
    },
    rejectExcessRequest: (response) => respond(response, json(429, { status: 'too many requests' })),
    lastWords: () => 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    bounds: PROBES,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at.port, at.host, resolve);
  });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

async function readiness({
  worker,
  temporalAnswers,
  timeoutMs,
}: Pick<ProbeOptions, 'worker' | 'temporalAnswers' | 'timeoutMs'>): Promise<ProbeResponse> {
  const [mongodb, server] = await Promise.all([isStoreReachable(timeoutMs), temporalAnswers(timeoutMs)]);
  const running = worker.getState() === 'RUNNING';
  const ok = mongodb && server && running;
  const checks = { mongodb: { ok: mongodb }, temporal: { ok: server }, worker: { ok: running } };
  return json(ok ? 200 : 503, { status: ok ? 'ok' : 'unavailable', checks });
}

function notFound(): Promise<ProbeResponse> {
  return Promise.resolve(json(404, { status: 'not found' }));
}

function json(status: number, body: object): ProbeResponse {
  return { status, text: JSON.stringify(body), type: 'application/json' };
}

function respond(response: ServerResponse, { status, text, type = 'text/plain' }: ProbeResponse): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

const FIGURES: Record<string, { help: string; value: (status: WorkerStatus) => number }> = {
  parlance_worker_running: {
    help: '1 while the worker takes tasks; 0 while it ends',
    value: ({ runState }) => (runState === 'RUNNING' ? 1 : 0),
  },
  parlance_worker_cached_workflows: {
    help: 'Workflows kept in memory',
    value: ({ numCachedWorkflows }) => numCachedWorkflows,
  },
  parlance_worker_workflow_tasks_under_way: {
    help: 'Workflow tasks being worked on',
    value: ({ numInFlightWorkflowActivations }) => numInFlightWorkflowActivations,
  },
  parlance_worker_local_activities_under_way: {
    help: 'Commits and loads being worked on',
    value: ({ numInFlightLocalActivities }) => numInFlightLocalActivities,
  },
  parlance_worker_activities_under_way: {
    help: 'Other activities being worked on; each shard of deliveries that this worker drains is one',
    value: ({ numInFlightNonLocalActivities }) => numInFlightNonLocalActivities,
  },
};

/** Creates metrics without deliveries, which the API counts. */
function createWorkerMetrics(worker: Pick<Worker, 'getStatus'>, waits: WaitMetrics): Registry {
  const registry = new Registry();
  registry.registerMetric(waits.histogram);
  collectDefaultMetrics({ register: registry });
  registerEventOutcomes(registry);
  registerBlockedPosts(registry);
  for (const [name, { help, value }] of Object.entries(FIGURES)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value(worker.getStatus()));
      },
    });
  }
  return registry;
}

export interface WaitMetrics {
  observe: (ended: EndedWait) => void;
  histogram: Histogram;
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/** Creates the metric of the waiting times (spec 5.15). Each commit is observed once. */
export function createWaitMetrics(): WaitMetrics {
  const histogram = new Histogram({
    name: 'parlance_conversation_wait_seconds',
    help: 'Time until a conversation was first accepted, replied to or closed',
    labelNames: ['wait'] as const,
    buckets: [
      ...[1, 5, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
      ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 3 * DAY, 7 * DAY],
    ],
    registers: [],
  });
  // Prometheus misses the first count of a series that appears with it.
  for (const wait of WAITS) histogram.zero({ wait: WAIT_LABELS[wait] });
  return { histogram, observe: ({ wait, ms }) => histogram.observe({ wait: WAIT_LABELS[wait] }, ms / 1000) };
}

const WAIT_LABELS = { accept: 'accept', firstReply: 'first_reply', close: 'close' } as const;
