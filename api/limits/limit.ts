import type { Logger } from 'pino';
import { addRequests } from '../../store/cluster/request-counts.ts';
import { createRequestCounter } from './request-counter.ts';
import type { RequestCounter } from './request-counter.ts';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { newId } from '../../store/queries/identifier.ts';
import { forgetApi, isOtherApiAlive, reportApiAlive } from '../../store/cluster/processes.ts';
import { storeNow } from '../../store/cluster/clock.ts';

/** Counts the requests of this process and, where there are others, of all. */
export interface Limit {
  count: RequestCounter;
  /** Whether other API processes count along. */
  shared: () => boolean;
  /** Tells the others that this process is gone. */
  leave: () => Promise<void>;
}

/** Begins to count, and makes this process known to the others. */
export async function createLimit(limit: number, log: Logger): Promise<Limit> {
  const { exist: shared, leave } = await watchApiProcesses(log);
  return { count: createRequestCounter({ limit, shared, add: addRequests }), shared, leave };
}

const EVERY_MS = 1_000;
const LOST_AFTER_MS = 5_000;

/** Whether other API processes run beside this one. */
interface ApiProcesses {
  /**
   * As it was a second ago; another process sees this one before this one serves its first request.
   */
  exist: () => boolean;
  /** Tells the others that this one is gone. */
  leave: () => Promise<void>;
}

/**
 * Makes this process known to the others, and looks for them every second. A store that does not
 * answer changes nothing.
 */
async function watchApiProcesses(log: Logger): Promise<ApiProcesses> {
  const id = newId();
  let others = false;
  const checkOthers = async () => {
    const now = storeNow();
    await reportApiAlive(id, new Date(now));
    others = await isOtherApiAlive(id, new Date(now - LOST_AFTER_MS));
  };
  await checkOthers();
  const looking = repeatingTask(checkOthers, {
    everyMs: EVERY_MS,
    waitsFirst: true,
    onError: (error) => log.debug({ err: error }, 'cannot tell whether other API processes run'),
  });
  looking.start();
  return {
    exist: () => others,
    async leave() {
      void looking.stop();
      await forgetApi(id);
    },
  };
}
