import { retryNextEvents, retryWhileUnavailable } from '../application/business-events/retry-events.ts';
import { runEvent, transformEvent } from '../application/business-events/run-event.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import { loadEvent } from '../store/records/business-events.ts';
import type { StoredEvent } from '../store/records/business-events.ts';
import type { Activities, InboundEventInput } from '../workflows/contract.ts';

/**
 * Creates the repeatable activities that run business events. The activities reject only for
 * temporary errors.
 */
export function createEventActivities(
  deps: EventDeps,
): Pick<Activities, 'transformEvent' | 'postEvent' | 'retryNextEvents'> {
  return {
    transformEvent: (input) => finish(input, (stored) => transformEvent(stored, deps)),

    postEvent: (input) => finish(input, async (stored) => (await runEvent(stored, deps)).costMs),

    retryNextEvents: ({ selection, after }) => retryNextEvents(selection, after, deps),
  };
}

async function finish(
  { id }: InboundEventInput,
  work: (stored: StoredEvent) => Promise<number>,
): Promise<number> {
  const stored = await loadEvent(id);
  return stored?.event.status === 'received' ? retryWhileUnavailable(() => work(stored)) : 0;
}
