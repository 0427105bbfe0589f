import Type from 'typebox';
import { definedFields } from '../../../domain/defined-fields.ts';
import { envelope } from '../../../domain/events/envelope.ts';
import { notFound } from '../../../domain/refusal.ts';
import { sampleEvent } from '../../../domain/events/sample-event.ts';
import { signingSecrets } from '../../../domain/delivery/secret-rotation.ts';
import { about, object } from '../../../application/schema/kinds.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { findService } from '../../../store/delivery/services.ts';
import { readAnswer } from '../../../deliveries/http/answer.ts';
import { describeFailure } from '../../../deliveries/http/exchange.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { eventId } from '../../../domain/events/event-id.ts';
import { attemptResult } from '../deliveries/schema.ts';

export const testSchema = object('WebhookTest', 'What came of a sample.', {
  event: about(Type.String(), 'The event that it was.', 'message.create.contact.chat'),
  ...attemptResult,
});

/**
 * POST /services/{id}/test: sends a sample right now, whatever the service's status, and answers
 * what came of it. It is not logged, not tried again, and what the receiver answers is not posted
 * (spec 7.11).
 */
export async function testService(
  { principal, id, ids, receivedAt }: ApiRequest,
  { config: { publicUrl }, webhooks }: Api,
): Promise<HandlerResult> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  const { organization } = service;
  const links = (await organizationContext(organization))?.links ?? {};
  const event = sampleEvent({
    id: eventId(ids.newId()),
    record: ids.newId(),
    organization,
    links,
    user: principal.user,
    now: receivedAt,
    publicUrl,
  });
  const end = await webhooks.sendWebhook({
    url: service.params.url,
    id: event.id,
    body: JSON.stringify(envelope(event)),
    secrets: signingSecrets(service, storeDate()),
  });
  const { answer, outcome, durationMs, status, requests } = end;
  const reason = describeFailure(end);
  const response = answer?.bytes.length ? (await readAnswer(answer)).text : undefined;
  return {
    status: 200,
    body: {
      event: event.name,
      ...definedFields({ outcome, durationMs, status, response, reason, requests }),
    },
  };
}
