import { retryNextEvents } from '../application/business-events/retry-events.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import type { EventPosition } from '../domain/events/event-selection.ts';
import type { RetryBatch } from '../workflows/contract.ts';

/** The activity of the workflow that runs events again. */
export function createRetryEventsActivity(deps: EventDeps) {
  return {
    /** Runs the next of them, and answers how far it has come; null at the end. */
    async retryNextEvents({ selection, after }: RetryBatch): Promise<EventPosition | null> {
      return (await retryNextEvents(selection, after, deps)) ?? null;
    },
  };
}
