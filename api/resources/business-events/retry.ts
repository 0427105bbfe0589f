import { notFound } from '../../../domain/refusal.ts';
import { eventRecords, loadEvent, reopenEvent } from '../../../store/records/business-events.ts';
import { findEventTypeId } from '../../../application/business-events/retry-events.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { buildOutcomeResult } from './resource.ts';
import { runAdmittedEvent } from './run.ts';

/**
 * POST /events/{id}/retry: runs it again, with the event type as it is now. One that has posted is
 * not posted twice: it is answered with what it has posted.
 */
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
