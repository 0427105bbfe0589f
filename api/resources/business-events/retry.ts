import { notFound } from '../../../domain/errors.ts';
import { eventRecords, loadEvent, reopenEvent } from '../../../store/records/business-events.ts';
import { findEventTypeId, countRunnable } from '../../../application/business-events/retry-events.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { buildOutcomeResult } from './schema.ts';
import { runAdmittedEvent } from './run.ts';
import Type from 'typebox';
import type { Static } from 'typebox';
import type { EventSelection } from '../../../domain/events/business-event.ts';
import { parseTime } from '../../../domain/query/values.ts';
import { TimeInput, about, object, oneOf, text } from '../../../schema/kinds.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { describeResource } from '../../records/resource.ts';

/** POST /events/{id}/retry: uses the current event type. Never repeats an event that has posted. */
export async function retryEvent({ principal, id }: ApiRequest, api: Api): Promise<HandlerResult> {
  const event = await eventRecords.find(principal.reach, id);
  if (!event) throw notFound('The event');
  if (event.status === 'processed') return buildOutcomeResult(event, api);
  return runAdmittedEvent(event, api, async () => {
    if (event.status !== 'received') {
      const type = await findEventTypeId(event.caller.organization, event.name);
      if (type === undefined) throw notFound('The event type');
      await reopenEvent(event, type);
    }
    const stored = await loadEvent(event._id);
    if (!stored) throw notFound('The event');
    return { stored };
  });
}

const since = about(TimeInput, 'The earliest time of arrival, in ISO 8601.', '2026-03-14T00:00:00Z');

export const typeRetryInput = object('EventTypeRetryInput', 'The events of a type to run again.', {
  since,
  status: Type.Optional(about(oneOf(['failed', 'ignored']), 'The status of the events. Default `failed`.')),
});

export const unroutedRetryInput = object('UnroutedRetryInput', 'The unrouted events to run.', {
  name: about(text({ max: 256 }), 'The name of the events.', 'order.shipped'),
  since,
});

export const retriedSchema = object('RetriedEvents', 'The result of a retry.', {
  retried: about(Type.Integer(), 'The number of events that run again.', 3),
});

/**
 * POST /eventtypes/{id}/retry: runs events in the order of arrival, after the response (spec 8.3).
 */
export async function retryEventsOfType(
  request: ApiRequest<Static<typeof typeRetryInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, id, body } = request;
  const type = await eventTypeRecords.find(principal.reach, id);
  if (!type) throw notFound(describeResource({ name: 'eventtypes' }));
  const which = { of: { eventtype: type._id }, status: body.status ?? 'failed' };
  return retryAll(which, type.organization, request, api);
}

export async function retryUnrouted(
  request: ApiRequest<Static<typeof unroutedRetryInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { organization } = request.principal.reach;
  const which = { of: { name: request.body.name, organization }, status: 'unrouted' as const };
  return retryAll(which, organization, request, api);
}

async function retryAll(
  which: Pick<EventSelection, 'of' | 'status'>,
  organization: string,
  { body, receivedAt, ids }: ApiRequest<{ since: string }>,
  { temporal }: Api,
): Promise<HandlerResult> {
  const from = parseTime(body.since, 'since').toISOString();
  const selection = { ...which, since: from, until: receivedAt };
  const retried = await countRunnable(selection);
  if (retried > 0) {
    const [root, branch] = (await organizationContext(organization))?.path ?? [];
    await temporal.events.retryAll({ selection, tenant: branch ?? root ?? organization, id: ids.newId() });
  }
  return { status: 202, body: { retried } };
}
