import { unavailable } from '../../../domain/refusal.ts';
import { eventLine } from '../../../business-events/event-line.ts';
import { loadEvent } from '../../../store/records/business-events.ts';
import type { EventDocument } from '../../../store/records/business-events.ts';
import type { Answer, Api } from '../../request.ts';
import { outcomeAnswer } from './resource.ts';

/** A run that was about to end when it was joined is followed by one that begins after that. */
const MAX_RUNS = 3;

/**
 * Runs an event in its organization's turn, and answers what became of it. `ready` stores it, or
 * makes it ready to be run again, and answers its id: it is not called where too much of the
 * organization's is under way (`rate_limited`). Rejects with `unavailable` where the run takes too
 * long; it is run all the same.
 */
export async function runInTurn(
  { organization, name }: Pick<EventDocument, 'organization' | 'name'>,
  api: Parameters<typeof runEvent>[1] & Pick<Api, 'doors'>,
  ready: () => Promise<string>,
): Promise<Answer> {
  const place = await api.doors.events.enter(await eventLine(organization, name));
  const id = await ready().catch((error: unknown) => {
    place.leave();
    throw error;
  });
  return runEvent(id, api, place.leave);
}

/** Runs a stored event, and answers what became of it. `ended`: as for the run itself. */
export async function runEvent(
  id: string,
  api: Pick<Api, 'config'> & { temporal: Pick<Api['temporal'], 'events'> },
  ended: (costMs?: number) => void = () => undefined,
): Promise<Answer> {
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    await api.temporal.events.run(id, ended);
    const stored = await loadEvent(id);
    if (!stored) break;
    if (stored.event.status !== 'received') return outcomeAnswer(stored.event, api);
  }
  throw unavailable();
}
