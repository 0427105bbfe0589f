import { notFound } from '../../../domain/refusal.ts';
import { eventRecords, loadEvent, reopenEvent } from '../../../store/records/business-events.ts';
import type { EventDocument } from '../../../store/records/business-events.ts';
import { findEventTypeFor } from '../../../store/records/eventtypes.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { outcomeAnswer } from './resource.ts';
import { runInTurn } from './run.ts';

/**
 * POST /events/{id}/retry: runs it again, with the event type as it is now. One that has posted is
 * not posted twice: it is answered with what it has posted.
 */
export async function retryEvent({ principal, id }: ApiRequest, api: Api): Promise<Answer> {
  const event = await eventRecords.find(principal.reach, id);
  if (!event) throw notFound('The event');
  if (event.status === 'processed') return outcomeAnswer(event, api);
  return runInTurn(event, api, async () => {
    if (event.status !== 'received') await reopenEvent(event, await eventTypeNow(event));
    const stored = await loadEvent(event._id);
    if (!stored) throw notFound('The event');
    return { stored };
  });
}

async function eventTypeNow({ caller, name }: EventDocument): Promise<string> {
  const line = await organizationContext(caller.organization);
  const type = line && (await findEventTypeFor(line.path, name));
  if (!type) throw notFound('The event type');
  return type._id;
}
