import { notFound } from '../../domain/refusal.ts';
import { eventTypeRecords } from '../../store/eventtypes.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { eventTypeResource } from './eventtypes.ts';
import { refuseUnreadable } from './expression.ts';

/** PUT /eventtypes/{id}/jsonata: the expression that turns events into messages (spec 4.5). */
export async function putExpression(request: ApiRequest<string>, api: Api): Promise<Answer> {
  const { principal, params, body } = request;
  const id = params['id'] ?? '';
  if (!(await eventTypeRecords.find(principal.reach, id))) throw notFound(eventTypeResource.what);
  await refuseUnreadable(body, request, api);
  return recordAnswer(
    eventTypeResource,
    await eventTypeRecords.update(principal.reach, id, { jsonata: body }),
  );
}
