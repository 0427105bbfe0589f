import type { Logger } from 'pino';
import { addRequests } from '../../store/cluster/request-counts.ts';
import { createRequestCounter } from './request-counter.ts';
import type { RequestCounter } from './request-counter.ts';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { newId } from '../../store/queries/identifier.ts';
import { forgetApi, isOtherApiAlive, reportApiAlive } from '../../store/cluster/processes.ts';
import { storeNow } from '../../store/cluster/clock.ts';

export interface Limit {
  count: RequestCounter;
  /** Returns whether other API processes share the count. */
  shared: () => boolean;
  leave: () => Promise<void>;
}

export async function createLimit(limit: number, log: Logger): Promise<Limit> {
  const { exist: shared, leave } = await watchApiProcesses(log);
  return { count: createRequestCounter({ limit, shared, add: addRequests }), shared, leave };
}

const EVERY_MS = 1_000;
const LOST_AFTER_MS = 5_000;

interface ApiProcesses {
  /** At most a second old. Processes register before their first request. */
  exist: () => boolean;
  leave: () => Promise<void>;
}

/** Checks every second. While the store does not respond, the result stays unchanged. */
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
    onError: (error) => log.debug({ err: error }, 'failed to check for other API processes'),
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
