import { setTimeout as wait } from 'node:timers/promises';
import { cancellationSignal, Context, getClient, heartbeat } from '@temporalio/activity';
import { countHeld, countPending, findOldestPending } from '../store/delivery/metrics.ts';
import { DRAIN_REPORT_SIGNAL } from '../workflows/contract.ts';
import type { DrainInput, SearchAttribute } from '../workflows/contract.ts';
import type { DrainReport } from '../domain/delivery/drain-report.ts';
import { describeFailing } from '../store/delivery/deliveries.ts';
import { createDispatcher } from '../deliveries/dispatcher.ts';
import type { Dispatcher, DispatcherDeps } from '../deliveries/dispatcher.ts';

export interface DrainDeps extends DispatcherDeps {
  searchAttributes: SearchAttribute[];
}

const HEARTBEAT_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 10_000;
/** Multiple of the time that a count took: counting many deliveries is expensive. */
const REPORT_PAUSE_FACTOR = 50;
const SIGNAL_EVERY_MS = 30_000;
/** Shorter than the activity's timeout. */
const MAX_RUN_MS = 2 * 3600 * 1_000;
const MAX_COUNTED = 10_000;

/** Creates one drain for all shards of this process (spec 7.8). */
export function createDrainDeliveries(deps: DrainDeps) {
  const drain: Drain = {
    ...createDispatcher(deps),
    searchable: deps.searchAttributes.includes('failing'),
  };
  return {
    /**
     * Runs for hours. Returns early if the worker shuts down or another worker leases the shard.
     */
    async drainDeliveries({ shard }: DrainInput): Promise<DrainReport> {
      const signal = cancellationSignal();
      const beating = startHeartbeat();
      try {
        const lost = await drain.take(shard, signal);
        try {
          return await reportUntilEnded(drain, shard, { beating, ended: AbortSignal.any([signal, lost]) });
        } finally {
          await drain.release(shard, lost);
        }
      } finally {
        beating.end();
      }
    },
  };
}

type Drain = Dispatcher & { searchable: boolean };

interface Heartbeat {
  details: DrainReport | null;
  end(): void;
}

function startHeartbeat(): Heartbeat {
  const timer = setInterval(() => heartbeat(beating.details), HEARTBEAT_EVERY_MS);
  const beating: Heartbeat = { details: null, end: () => clearInterval(timer) };
  heartbeat(null);
  return beating;
}

async function reportUntilEnded(
  drain: Drain,
  shard: number,
  { beating, ended }: { beating: Heartbeat; ended: AbortSignal },
): Promise<DrainReport> {
  const until = performance.now() + MAX_RUN_MS;
  let shownAt = -Infinity;
  let shown = '';
  let report = await buildReport(drain, shard);
  let tookMs = 0;
  while (!ended.aborted && performance.now() < until) {
    beating.details = report;
    if (formatFailing(report) !== shown && performance.now() - shownAt >= SIGNAL_EVERY_MS) {
      shown = formatFailing(report);
      shownAt = performance.now();
      await signalReport(report);
    }
    const restMs = Math.max(REPORT_EVERY_MS, Math.min(tookMs * REPORT_PAUSE_FACTOR, SIGNAL_EVERY_MS));
    await wait(restMs, undefined, { signal: ended }).catch(() => undefined);
    const askedAt = performance.now();
    report = await buildReport(drain, shard).catch(() => report);
    tookMs = performance.now() - askedAt;
  }
  return report;
}

async function buildReport(drain: Drain, shard: number): Promise<DrainReport> {
  const [pending, held, oldest, failing] = await Promise.all([
    countPending([shard], MAX_COUNTED),
    countHeld([shard], MAX_COUNTED),
    findOldestPending([shard]),
    describeFailing(drain.failing(shard)),
    drain.storeCounts(),
    drain.tidy(shard),
  ]);
  return {
    pending,
    held,
    ...(oldest ? { oldest: oldest.toISOString() } : {}),
    failing,
    searchable: drain.searchable,
  };
}

// Leaves out counts: they change constantly and do not trigger a signal.
function formatFailing({ failing }: DrainReport): string {
  return failing
    .map(({ service, name, attempt, disabled }) => `${service} ${name} ${attempt} ${disabled}`)
    .join();
}

// Ignores failures, because only operators see reports.
async function signalReport(report: DrainReport): Promise<void> {
  const { workflowId } = Context.current().info.workflowExecution ?? {};
  if (workflowId === undefined) return;
  try {
    await getClient().workflow.getHandle(workflowId).signal(DRAIN_REPORT_SIGNAL, report);
  } catch (error) {
    Context.current().log.warn('cannot report to the delivery workflow', { error });
  }
}
