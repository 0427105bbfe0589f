import Type from 'typebox';
import type { Static } from 'typebox';
import { describeFailure } from '../../../deliveries/http/exchange.ts';
import { readAnswer } from '../../../deliveries/http/answer.ts';
import { deliveryRows } from '../../../domain/delivery/delivery.ts';
import { signingSecrets } from '../../../domain/delivery/signing-secret.ts';
import { notFound, unprocessable, withinPath } from '../../../domain/errors.ts';
import { envelope } from '../../../domain/events/envelope.ts';
import { eventId } from '../../../domain/events/event-name.ts';
import type { EventName } from '../../../domain/events/event-name.ts';
import { matchesPattern, parseEventName } from '../../../domain/events/event-pattern.ts';
import type { EventData, EventRecord } from '../../../domain/events/event-record.ts';
import { sampleEvent } from '../../../domain/events/sample-event.ts';
import type { Subscription } from '../../../domain/events/subscriptions.ts';
import { ITEM_TYPES } from '../../../domain/messages/message.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { resourceNames, resourceRow } from '../../../domain/resources.ts';
import type { ResourceName } from '../../../domain/resources.ts';
import { EXAMPLE_IDS, about, object, text } from '../../../schema/kinds.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { insertDeliveries } from '../../../store/delivery/deliveries.ts';
import { findService, toSubscription } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { buildDataExample } from '../../docs/webhooks.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';
import { attemptResult } from '../deliveries/schema.ts';
import { assertAddress } from './checks.ts';

const MAX_EVENT_NAME = 200;

export const testInput = object('WebhookTestInput', 'The example to send. Without a body: a sample.', {
  event: Type.Optional(
    about(
      text({ max: MAX_EVENT_NAME }),
      'The event, without `*`. Its documented example is delivered through the delivery log. Missing words default to a chat message of a contact.',
      'message.create.contact.chat.contact',
    ),
  ),
});

export const testSchema = object('WebhookTest', 'The result of a test.', {
  event: about(Type.String(), 'The event that was sent.', 'message.create.contact.chat'),
  delivery: Type.Optional(
    about(Type.String(), 'With `event` in the body: the delivery in the log.', EXAMPLE_IDS.deliveries),
  ),
  ...Type.Partial(Type.Object(attemptResult)).properties,
});

/** POST /services/{id}/test (spec 7.11). */
export async function testService(
  request: ApiRequest<Static<typeof testInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, id, body } = request;
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  if (service.touchpoint !== undefined)
    throw unprocessable('is a channel: post a message that names it instead', 'service');
  if (body.event === undefined) return sendSample(service, request, api);
  const name = body.event;
  const event = withinPath('event', () => parseEventName(name));
  return queueExample(toSubscription(service), { event, request, api });
}

/** Sends a sample without log, retry or reply. */
async function sendSample(
  service: ServiceDocument,
  { principal, ids, receivedAt }: ApiRequest,
  { config: { publicUrl }, webhooks }: Api,
): Promise<HandlerResult> {
  assertAddress(service);
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
  const secrets = signingSecrets(service, storeDate());
  const end = await webhooks.sendWebhook({
    url: service.params.url,
    id: event.id,
    body: JSON.stringify(envelope({ ...event, test: true })),
    secrets,
  });
  const { answer, outcome, durationMs, status, requests } = end;
  const reason = describeFailure(end);
  const response = answer?.bytes.length ? (await readAnswer(answer, secrets)).text : undefined;
  return {
    status: 200,
    body: {
      event: event.name,
      ...definedFields({ outcome, durationMs, status, response, reason, requests }),
    },
  };
}

async function queueExample(
  service: Subscription,
  { event, request, api }: { event: EventName; request: ApiRequest; api: Api },
): Promise<HandlerResult> {
  const { publicUrl, deliveryShards: shards } = api.config;
  const record = buildExampleEvent(event, { service, request, publicUrl });
  const [row] = deliveryRows(record, { services: [service], line: [service.organization], shards });
  if (!row) throw unsubscribedError(service, event);
  await insertDeliveries([row]);
  return { status: 202, body: { event: event.name, delivery: row._id } };
}

/** Has a separate lane, so that an example neither waits for real events nor delays them. */
function buildExampleEvent(
  event: EventName,
  { service, request, publicUrl }: { service: Subscription; request: ApiRequest; publicUrl: string },
): EventRecord {
  const id = eventId(request.ids.newId());
  const data = buildExampleData(event);
  return {
    ...event,
    id,
    lane: id,
    timestamp: request.receivedAt,
    organization: service.organization,
    sequence: 1,
    actor: event.role === 'contact' ? CONTACT : USER,
    audience: service.user !== undefined && concernsBots(event.name) ? audienceOf(service.user) : undefined,
    test: true,
    publicUrl,
    data: () => data,
  };
}

const CONTACT = { id: EXAMPLE_IDS.contacts, kind: 'contact' } as const;
const USER = { id: EXAMPLE_IDS.users, kind: 'user' } as const;

/** Events of conversations. A new contact has none yet. */
function concernsBots(name: string): boolean {
  return name !== 'contact.create' && /^(?:message|conversation|contact)\./.test(name);
}

function audienceOf(bot: string): EventRecord['audience'] {
  return { participants: [bot], mentioned: [], addressed: false };
}

function buildExampleData({ name, conversationType, role }: EventName): EventData {
  const [resource = '', operation = '', type = conversationType, messageType = ''] = name.split('.');
  const example = buildDataExample(findResource(resource), operation) as Record<string, object>;
  const { message, conversation } = example;
  return {
    ...example,
    ...(message && { message: { ...fitToType(message, messageType, role), ...typeFields(messageType) } }),
    ...(conversation && { conversation: { ...conversation, ...definedFields({ type }) } }),
  };
}

/** Texts that suit the type. */
const TEXTS: Readonly<Record<string, string>> = {
  command: '/set category sales',
  field: '.email ada@example.com',
  form: '+Test drive',
};

function typeFields(type: string) {
  return { type, ...definedFields({ text: TEXTS[type] }) };
}

/** Only messages with a role have a content type, and few types have items (spec 6.1). */
function fitToType(message: object, type: string, role: string | undefined): object {
  const { role: _, contentType, items, ...fields } = message as Record<string, unknown>;
  const hasItems = ITEM_TYPES.some((one) => one === type);
  return { ...fields, ...(role === undefined ? {} : { role, contentType }), ...(hasItems ? { items } : {}) };
}

function findResource(word: string): ResourceName {
  const found = resourceNames().find((name) => resourceRow(name).event?.name === word);
  if (!found) throw new Error(`No resource has events called ${word}.`);
  return found;
}

function unsubscribedError({ events = [], user }: Subscription, event: EventName) {
  const isFiltered = events.length > 0 && !events.some((pattern) => matchesPattern(pattern, event));
  return unprocessable(
    isFiltered || user === undefined
      ? `the service does not receive it; it receives ${events.join(', ')}`
      : 'the bot of the service does not receive it; it receives events of message, conversation and contact in its conversations',
    'event',
  );
}
