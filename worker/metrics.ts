import type { Worker, WorkerStatus } from '@temporalio/worker';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

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

/**
 * Metrics of this worker: what Node knows of the process, and what it has in hand. Deliveries are
 * told by the API.
 */
export function createWorkerMetrics(worker: Pick<Worker, 'getStatus'>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
