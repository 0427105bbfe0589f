import type { Logger } from 'pino';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { finishCommits } from '../activities/write-rows.ts';
import type { WriteRowsDeps } from '../activities/write-rows.ts';
import { findLost, forgetWorker, reportAlive } from '../store/cluster/processes.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { createCooldown } from '../platform/concurrency/cooldown.ts';
import { findUnfinishedEvents } from '../store/records/find-events.ts';
import type { Events } from '../workflows/client/business-events.ts';

const REPORT_EVERY_MS = 2_000;
const LOST_AFTER_MS = 10_000;
// Completes commits made within this time before or after the lost worker's last report.
const MARGIN_MS = 30_000;

export interface OrphanedCommitRecovery {
  end(): Promise<void>;
}

/**
 * Completes the commits of crashed workers: messages must be delivered even if nothing touches
 * their conversation again. Reports this worker as alive.
 */
export async function startOrphanedCommitRecovery(
  worker: string,
  { deps, log }: { deps: WriteRowsDeps; log: Logger },
): Promise<OrphanedCommitRecovery> {
  await reportAlive(worker, storeDate());
  const watch = repeatingTask(() => recoverOnce(worker, { deps, log }), {
    everyMs: REPORT_EVERY_MS,
    waitsFirst: true,
    onError: (error) => log.warn({ err: error }, 'recovery of lost workers failed'),
  });
  watch.start();
  return {
    async end() {
      await watch.stop();
      await forgetWorker(worker);
    },
  };
}

async function recoverOnce(
  worker: string,
  { deps, log }: { deps: WriteRowsDeps; log: Logger },
): Promise<void> {
  const now = storeNow();
  await reportAlive(worker, new Date(now));
  for (const lost of await findLost(new Date(now - LOST_AFTER_MS))) {
    const seen = lost.seenAt.getTime();
    const from = new Date(seen - MARGIN_MS);
    const { looked, passedBy } = await finishCommits(
      { ...deps, log },
      { from, to: new Date(seen + MARGIN_MS) },
    );
    await forgetWorker(lost._id);
    log.info({ worker: lost._id, commits: looked, passedBy }, 'finished the commits of a lost worker');
  }
}

const EVERY_MS = 5_000;
/** Longer than an API process runs an event by itself. */
const UNFINISHED_MS = 30_000;
const MAX_STARTED = 50;
/** A running workflow retries by itself. */
const AGAIN_AFTER_MS = 60_000;

interface UnfinishedEvents {
  end(): Promise<void>;
}

/** Starts workflows for business events whose API process crashed (spec 8.2). */
export function startUnfinishedEvents({
  events,
  log,
}: {
  events: Pick<Events, 'start'>;
  log: Pick<Logger, 'warn' | 'info'>;
}): UnfinishedEvents {
  const started = createCooldown(AGAIN_AFTER_MS);

  async function startLeftEvents(): Promise<void> {
    const before = new Date(storeNow() - UNFINISHED_MS);
    const found = await findUnfinishedEvents({ before, limit: MAX_STARTED + started.size() });
    const left = found.filter((id) => !started.has(id)).slice(0, MAX_STARTED);
    if (left.length > 0) log.info({ events: left.length }, 'running events that were left unfinished');
    for (const id of left) await started.during(id, () => events.start(id));
  }

  const looking = repeatingTask(startLeftEvents, {
    everyMs: EVERY_MS,
    onError: (error) => log.warn({ err: error }, 'failed to start unfinished events'),
  });
  looking.start();
  return { end: looking.stop };
}
