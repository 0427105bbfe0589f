import { setTimeout as sleep } from 'node:timers/promises';
import type { EventPosition, EventSelection } from '../../domain/events/business-event.ts';
import { DomainError, isPaused } from '../../domain/errors.ts';
import { loadEvent, reopenEvent } from '../../store/records/business-events.ts';
import type { EventDocument } from '../../store/records/business-events.ts';
import { findEventTypeFor } from '../../store/records/eventtypes.ts';
import { countSelected, findSelected } from '../../store/records/find-events.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { runEvent } from './run-event.ts';
import type { EventDeps } from './run-event.ts';

const AT_ONCE = 20;
/** A run begun within this time ends before the activity's timeout. */
const WITHIN_MS = 15_000;

export async function findEventTypeId(organization: string, name: string): Promise<string | undefined> {
  const context = await organizationContext(organization);
  return (context && (await findEventTypeFor(context.path, name)))?._id;
}

export async function countRunnable(selection: EventSelection): Promise<number> {
  let count = 0;
  for (const [organization, events] of await countSelected(selection)) {
    const { of } = selection;
    const hasType = 'eventtype' in of || (await findEventTypeId(organization, of.name)) !== undefined;
    if (hasType) count += events;
  }
  return count;
}

/**
 * Runs events one by one. Returns the position reached, or null after the last event. Rejects only
 * for temporary errors.
 */
export async function retryNextEvents(
  selection: EventSelection,
  after: EventPosition | undefined,
  deps: EventDeps,
): Promise<EventPosition | null> {
  const begun = performance.now();
  const found = await findSelected(selection, { after, limit: AT_ONCE });
  for (const [at, event] of found.entries()) {
    await retryEvent(event, deps);
    const isLast = at === found.length - 1;
    if (isLast && found.length < AT_ONCE) return null;
    if (isLast || performance.now() - begun > WITHIN_MS)
      return { createdAt: event.createdAt.toISOString(), id: event._id };
  }
  return null;
}

async function retryEvent(event: EventDocument, deps: EventDeps): Promise<void> {
  const eventtype = await findEventTypeId(event.caller.organization, event.name);
  if (eventtype === undefined) return;
  if (event.status !== 'received') await reopenEvent(event, eventtype, { queued: true });
  const stored = await loadEvent(event._id);
  if (stored?.event.status !== 'received') return;
  try {
    await retryWhileUnavailable(() => runEvent(stored, deps));
  } catch (error) {
    // A pause may be long: leave the event to its own workflow.
    if (!isPaused(error)) throw error;
  }
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 3_000;

/** Retries after DomainError `unavailable`, because a retry is cheaper than a failed activity. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<T> {
  let leftMs = WITHIN_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      leftMs -= waitMs;
      if (!(error instanceof DomainError) || error.code !== 'unavailable' || leftMs < 0) throw error;
    }
    await wait(waitMs);
  }
}
