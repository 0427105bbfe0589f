import type { Logger } from 'pino';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { newId } from '../../store/queries/identifier.ts';
import { forgetApi, isOtherApiAlive, reportApiAlive } from '../../store/cluster/api-processes.ts';
import { storeNow } from '../../store/cluster/clock.ts';

const EVERY_MS = 1_000;
const LOST_AFTER_MS = 5_000;

/** Whether other API processes run beside this one. */
export interface ApiProcesses {
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
export async function watchApiProcesses(log: Logger): Promise<ApiProcesses> {
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
