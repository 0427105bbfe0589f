import { runEvent, transformEvent } from '../application/business-events/run-event.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import { retryWhileUnavailable } from '../application/business-events/wait-out.ts';
import { loadEvent } from '../store/records/business-events.ts';
import type { InboundEventInput, RetryBatch } from '../workflows/contract.ts';
import { retryNextEvents } from '../application/business-events/retry-events.ts';
import type { EventPosition } from '../domain/events/business-event.ts';

/**
 * Activities for events that an API process left unfinished. Repeatable. They reject only for
 * temporary errors and return their cost in milliseconds.
 */
export function createInboundEventActivities(deps: EventDeps) {
  return {
    async transformEvent({ id }: InboundEventInput): Promise<number> {
      const stored = await loadEvent(id);
      return stored?.event.status === 'received'
        ? retryWhileUnavailable(() => transformEvent(stored, deps))
        : 0;
    },

    async postEvent({ id }: InboundEventInput): Promise<number> {
      const stored = await loadEvent(id);
      return stored?.event.status === 'received'
        ? (await retryWhileUnavailable(() => runEvent(stored, deps))).costMs
        : 0;
    },
  };
}

export function createRetryEventsActivity(deps: EventDeps) {
  return {
    /** Null at the end. */
    async retryNextEvents({ selection, after }: RetryBatch): Promise<EventPosition | null> {
      return (await retryNextEvents(selection, after, deps)) ?? null;
    },
  };
}
