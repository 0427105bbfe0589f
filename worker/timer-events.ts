import type { Logger } from 'pino';
import { loadEventPath } from '../application/business-events/result-parts.ts';
import { runEvent } from '../application/business-events/run-event.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import { FairScheduler } from '../platform/concurrency/fair-scheduler.ts';
import { loadEvent } from '../store/records/business-events.ts';
import type { EventDocument } from '../store/records/business-events.ts';
import type { Events } from '../workflows/client/business-events.ts';

/** Few at once: thousands of timers may be due in the same minute, beside the posts of others. */
const MAX_AT_ONCE = 4;
const MAX_EACH = 2;
/** Further events wait in the store for the recovery task. */
const MAX_WAITING = 20_000;

export interface TimerEvents {
  /** Queues a stored event. Never throws. */
  run: (event: EventDocument) => void;
  /** Drops waiting events, which the recovery task of another worker finds. */
  close: () => Promise<void>;
}

interface TimerEventDeps extends EventDeps {
  events: Pick<Events, 'start'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Runs the events of timers in this process, fairly among organizations. After a temporary error, a
 * workflow takes over.
 */
export function createTimerEvents(deps: TimerEventDeps): TimerEvents {
  const scheduler = new FairScheduler({ max: MAX_AT_ONCE, maxEach: MAX_EACH, maxWaiting: MAX_WAITING });
  const queued = new Set<string>();
  const running = new Set<Promise<void>>();

  async function runInTurn({ _id, organization, name }: EventDocument): Promise<void> {
    const path = await loadEventPath(organization, name);
    await scheduler.run(path, async () => {
      const work = runOrStart(_id, deps);
      running.add(work);
      await work.finally(() => running.delete(work));
    });
  }

  return {
    run(event) {
      if (queued.has(event._id)) return;
      queued.add(event._id);
      void runInTurn(event)
        .catch(() => undefined)
        .finally(() => queued.delete(event._id));
    },

    async close() {
      scheduler.close();
      await Promise.allSettled(running);
    },
  };
}

async function runOrStart(id: string, deps: TimerEventDeps): Promise<void> {
  try {
    const stored = await loadEvent(id);
    if (stored?.event.status === 'received') await runEvent(stored, deps);
  } catch (error) {
    deps.log.warn({ err: error, event: id }, 'failed to run the event of a timer; a workflow takes over');
    await deps.events.start(id);
  }
}
