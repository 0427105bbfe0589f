import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { recordAnswer } from '../../records/answers.ts';
import { unlessChanged } from '../../records/unless-changed.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { eventTypeResource } from './present.ts';
import { refuseUnreadable } from './expression.ts';

/** PUT /eventtypes/{id}/jsonata: the expression that turns events into messages (spec 8.1). */
export async function putExpression(request: ApiRequest<string>, api: Api): Promise<Answer> {
  const { principal, id, body } = request;
  const find = () => eventTypeRecords.find(principal.reach, id);
  const updated = await unlessChanged(request, { ...eventTypeResource, find }, async ({ _id }, seen) => {
    await refuseUnreadable(body, request, api);
    return eventTypeRecords.update(principal.reach, _id, { jsonata: body }, seen);
  });
  return recordAnswer(eventTypeResource, updated);
}
