import { eventRecords, findEventBody } from '../../../store/records/business-events.ts';
import type { EventDocument } from '../../../store/records/business-events.ts';
import { foundAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { events } from './present.ts';

/** GET /events/{id}: with its body, however large. */
export function getEvent(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, id } = request;
  const find = async () => {
    const event = await eventRecords.find(principal.reach, id);
    return event && whole(event);
  };
  return foundAnswer(events, request, find, api);
}

async function whole(event: EventDocument): Promise<EventDocument> {
  const body = event.body ?? (await findEventBody(event._id));
  return { ...event, ...(body === undefined ? {} : { body }) };
}
