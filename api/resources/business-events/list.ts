import { eventRecords } from '../../../store/records/business-events.ts';
import { listAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { events } from './present.ts';
import { eventPaths } from './schema.ts';

/** GET /events: those of the caller's organization and below. */
export function listEvents(request: ApiRequest, api: Api): Promise<Answer> {
  const { reach } = request.principal;
  return listAnswer(events, request, {
    api,
    paths: eventPaths,
    find: (query) => eventRecords.list(reach, query),
  });
}
