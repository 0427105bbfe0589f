import type { Logger } from 'pino';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { finishCommits } from '../activities/finish-commits.ts';
import type { WriteRowsDeps } from '../activities/write-rows.ts';
import { findLost, forgetWorker, reportAlive } from '../store/cluster/workers.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';

const REPORT_EVERY_MS = 2_000;
const LOST_AFTER_MS = 10_000;
// What a lost worker had in hand was decided shortly before it was last seen, or before its next
// report.
const MARGIN_MS = 30_000;

/** Ends the watch; the worker is forgotten as one that ended well. */
export interface OrphanedCommitRecovery {
  end(): Promise<void>;
}

/**
 * Reports that this worker lives, and looks after those that were lost: commits that they wrote
 * without their rows are finished, so that a message is readable and delivered even when nobody
 * ever touches its conversation again.
 */
export async function startOrphanedCommitRecovery(
  worker: string,
  { deps, log }: { deps: WriteRowsDeps; log: Logger },
): Promise<OrphanedCommitRecovery> {
  await reportAlive(worker, storeDate());
  const watch = repeatingTask(() => recoverOnce(worker, { deps, log }), {
    everyMs: REPORT_EVERY_MS,
    waitsFirst: true,
    onError: (error) => log.warn({ err: error }, 'watch failed'),
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
