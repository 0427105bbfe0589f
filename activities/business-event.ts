import { runEvent, transformEvent } from '../application/business-events/run-event.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import { retryWhileUnavailable } from '../application/business-events/wait-out.ts';
import { loadEvent } from '../store/records/business-events.ts';
import type { InboundEventInput, RetryBatch } from '../workflows/contract.ts';
import { retryNextEvents } from '../application/business-events/retry-events.ts';
import type { EventPosition } from '../domain/events/business-event.ts';

/**
 * The activities of a business event's workflow, which goes on with what an API process could not
 * bring to its end. Both may be repeated; they reject only when something may work later. They
 * answer what they cost in milliseconds, as it would be on a machine that does nothing else.
 */
export function createInboundEventActivities(deps: EventDeps) {
  return {
    /** Runs the event's expression, unless that was done, and keeps its result. */
    async transformEvent({ id }: InboundEventInput): Promise<number> {
      const stored = await loadEvent(id);
      return stored?.event.status === 'received'
        ? retryWhileUnavailable(() => transformEvent(stored, deps))
        : 0;
    },

    /** Posts what the expression gave, all of it or nothing, and keeps the outcome. */
    async postEvent({ id }: InboundEventInput): Promise<number> {
      const stored = await loadEvent(id);
      return stored?.event.status === 'received'
        ? (await retryWhileUnavailable(() => runEvent(stored, deps))).costMs
        : 0;
    },
  };
}

/** The activity of the workflow that runs events again. */
export function createRetryEventsActivity(deps: EventDeps) {
  return {
    /** Runs the next of them, and answers how far it has come; null at the end. */
    async retryNextEvents({ selection, after }: RetryBatch): Promise<EventPosition | null> {
      return (await retryNextEvents(selection, after, deps)) ?? null;
    },
  };
}
