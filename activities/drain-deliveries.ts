import { setTimeout as wait } from 'node:timers/promises';
import { cancellationSignal, Context, getClient, heartbeat } from '@temporalio/activity';
import { countHeld, countPending, findOldestPending } from '../store/delivery/metrics.ts';
import { DRAIN_REPORT_SIGNAL } from '../workflows/contract.ts';
import type { DrainInput, SearchAttribute } from '../workflows/contract.ts';
import type { DrainReport } from '../domain/delivery/drain-report.ts';
import { describeFailing } from '../store/delivery/service-health.ts';
import type { Dispatcher } from '../deliveries/dispatcher.ts';

export interface DrainDeps {
  dispatcher: Dispatcher;
  searchAttributes: SearchAttribute[];
}

const HEARTBEAT_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 10_000;
/**
 * Ratio of the pause after a report to the report's duration: counting many deliveries is
 * expensive.
 */
const REPORT_PAUSE_FACTOR = 50;
const SIGNAL_EVERY_MS = 30_000;
/** Shorter than the activity's timeout. */
const MAX_RUN_MS = 2 * 3600 * 1_000;
const MAX_COUNTED = 10_000;

/**
 * Creates the activity that sends a shard's deliveries for two hours (spec 7.8). The activity
 * returns early if the worker shuts down or another worker leases the shard.
 */
export function createDrainDeliveries(deps: DrainDeps) {
  const { dispatcher } = deps;
  return {
    async drainDeliveries({ shard }: DrainInput): Promise<DrainReport> {
      const signal = cancellationSignal();
      const beating = startHeartbeat();
      try {
        const lost = await dispatcher.take(shard, signal);
        try {
          return await reportUntilEnded(deps, shard, { beating, ended: AbortSignal.any([signal, lost]) });
        } finally {
          await dispatcher.release(shard, lost);
        }
      } finally {
        beating.end();
      }
    },
  };
}

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
  deps: DrainDeps,
  shard: number,
  { beating, ended }: { beating: Heartbeat; ended: AbortSignal },
): Promise<DrainReport> {
  const until = performance.now() + MAX_RUN_MS;
  const show = createReportSender(signalReport);
  let report = await buildReport(deps, shard);
  let tookMs = 0;
  while (!ended.aborted && performance.now() < until) {
    beating.details = report;
    await show(report, performance.now());
    const restMs = Math.max(REPORT_EVERY_MS, Math.min(tookMs * REPORT_PAUSE_FACTOR, SIGNAL_EVERY_MS));
    await wait(restMs, undefined, { signal: ended }).catch(() => undefined);
    const askedAt = performance.now();
    report = await buildReport(deps, shard).catch(() => report);
    tookMs = performance.now() - askedAt;
  }
  return report;
}

async function buildReport({ dispatcher, searchAttributes }: DrainDeps, shard: number): Promise<DrainReport> {
  const [pending, held, oldest, failing] = await Promise.all([
    countPending([shard], MAX_COUNTED),
    countHeld([shard], MAX_COUNTED),
    findOldestPending([shard]),
    describeFailing(dispatcher.listFailing(shard)),
    dispatcher.storeMetrics(),
  ]);
  return {
    pending,
    held,
    oldest: oldest?.toISOString(),
    failing,
    searchable: searchAttributes.includes('failing'),
  };
}

/**
 * Returns a function that sends the first report, because operators still see the report of the
 * drain before, and then reports whose failing services have changed, at most every 30 seconds.
 * `send` resolves to whether it succeeded. `now` is in milliseconds.
 */
export function createReportSender(send: (report: DrainReport) => Promise<boolean>) {
  let sentAt = -Infinity;
  let sent: string | undefined;
  return async (report: DrainReport, now: number): Promise<void> => {
    if (formatFailing(report) === sent || now - sentAt < SIGNAL_EVERY_MS) return;
    if (sent !== undefined) sentAt = now;
    if (await send(report)) sent = formatFailing(report);
  };
}

// Leaves out counts, which change constantly and must not trigger a signal.
function formatFailing({ failing }: DrainReport): string {
  return failing
    .map(({ service, name, attempt, disabled }) => `${service} ${name} ${attempt} ${disabled}`)
    .join();
}

// Logs a failure and does not reject, because only operators see reports.
async function signalReport(report: DrainReport): Promise<boolean> {
  const { workflowId } = Context.current().info.workflowExecution ?? {};
  if (workflowId === undefined) return false;
  try {
    await getClient().workflow.getHandle(workflowId).signal(DRAIN_REPORT_SIGNAL, report);
    return true;
  } catch (error) {
    Context.current().log.warn('cannot report to the delivery workflow', { error });
    return false;
  }
}
