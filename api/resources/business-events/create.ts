import { notFound } from '../../../domain/refusal.ts';
import { newSeed } from '../../../posting/id-generator.ts';
import { insertEvent } from '../../../store/records/business-events.ts';
import { findEventTypeFor } from '../../../store/records/eventtypes.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { runInTurn } from './run.ts';

/**
 * POST /events/{name}: stored first, then turned into messages by the nearest event type of that
 * name (spec 8).
 */
export async function createEvent(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, params, body, mint, receivedAt } = request;
  const { user, organization, role, scope, trace } = principal;
  const name = params['name'] ?? '';
  return runInTurn({ organization, name }, api, async () => {
    const line = await organizationContext(organization);
    const type = line && (await findEventTypeFor(line.path, name));
    if (!type) throw notFound('The event type');
    const now = new Date(receivedAt);
    const event = {
      _id: mint.id(),
      organization,
      name,
      eventtype: type._id,
      caller: { user, organization, role, scope, ...(trace === undefined ? {} : { trace }) },
      createdBy: user,
      createdAt: now,
      updatedAt: now,
    };
    const stored = await insertEvent(event, { body: JSON.stringify(body), seed: newSeed() });
    return { stored, expression: type.jsonata ?? '' };
  });
}
