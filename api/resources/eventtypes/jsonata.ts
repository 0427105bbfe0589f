import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { buildRecordResult, recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { eventTypes } from './eventtypes.ts';
import { assertValidExpression } from './expression.ts';

/** PUT /eventtypes/{id}/jsonata (spec 8.1). */
export async function putExpression(request: ApiRequest<string>, api: Api): Promise<HandlerResult> {
  const { principal, body } = request;
  const changing = recordTarget(eventTypes, request);
  const updated = await withIfMatch(request, changing, async ({ _id }, seen) => {
    await assertValidExpression(body, request, api);
    return eventTypeRecords.update(principal.reach, _id, { jsonata: body }, seen);
  });
  return buildRecordResult(eventTypes, updated);
}
