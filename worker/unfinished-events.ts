import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { storeNow } from '../store/cluster/clock.ts';
import { findUnfinishedEvents } from '../store/records/business-events.ts';
import type { Events } from '../temporal/business-events.ts';

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
  const ending = new AbortController();
  const { signal } = ending;
  const startedAt = new Map<string, number>();

  async function look(): Promise<void> {
    const before = new Date(storeNow() - UNFINISHED_MS);
    const now = performance.now();
    for (const [id, at] of startedAt) if (now - at > AGAIN_AFTER_MS) startedAt.delete(id);
    const found = await findUnfinishedEvents({ before, limit: MAX_STARTED + startedAt.size });
    const left = found.filter((id) => !startedAt.has(id)).slice(0, MAX_STARTED);
    if (left.length > 0) log.info({ events: left.length }, 'running events that were left unfinished');
    for (const id of left) {
      if (signal.aborted) return;
      await events.start(id);
      startedAt.set(id, performance.now());
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await look().catch((error: unknown) => log.warn({ err: error }, 'unfinished events are not run'));
      await wait(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const watching = watch();
  return {
    async end() {
      ending.abort();
      await watching;
    },
  };
}
