import type { Logger } from 'pino';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { createCooldown } from '../platform/concurrency/resting-keys.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findUnfinishedEvents } from '../store/records/find-events.ts';
import type { Events } from '../workflows/client/business-events.ts';

const EVERY_MS = 5_000;
/** Longer than the API process that stored an event runs it by itself. */
const UNFINISHED_MS = 30_000;
const MAX_STARTED = 50;
/** A workflow goes on by itself: it is started again only where somebody ended it. */
const AGAIN_AFTER_MS = 60_000;

/** Ends the looking. */
export interface UnfinishedEvents {
  end(): Promise<void>;
}

/**
 * Looks every five seconds for business events that the API process that stored them did not bring
 * to their end, because it died, and has workflows run them (spec 8.2).
 */
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
    onError: (error) => log.warn({ err: error }, 'unfinished events are not run'),
  });
  looking.start();
  return { end: looking.stop };
}
