import Type from 'typebox';
import { ATTEMPT_OUTCOMES, DELIVERY_STATUSES } from '../../../domain/delivery/delivery.ts';
import { envelope } from '../../../domain/events/envelope.ts';
import { sampleEvent } from '../../../domain/events/sample-event.ts';
import {
  EXAMPLE_IDS,
  Time,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  oneOf,
} from '../../../schema/kinds.ts';
import type { InboundRow, UnreadablePost } from '../../../application/channels/inbound.ts';
import { Entry } from '../services/inbound.ts';
import { buildPaths } from '../../listing/paths.ts';
import type { DeliveryDocument, ListedDelivery } from '../../../store/delivery/deliveries.ts';
import { findDelivery, listDeliveries } from '../../../store/delivery/deliveries.ts';
import type { RecordSource } from '../../records/resource.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { createPresenter } from '../../../schema/record.ts';

export const SAMPLE_BODY: unknown = envelope(
  sampleEvent({
    id: `${EXAMPLE_IDS.messages}-1`,
    record: EXAMPLE_IDS.conversations,
    organization: EXAMPLE_IDS.organizations,
    user: EXAMPLE_IDS.users,
    now: '2026-03-14T09:26:53.589Z',
    publicUrl: 'https://example.com',
    links: {},
  }),
);

const fields = {
  id: about(Type.String(), 'Event and service: `{eventId}:{service}`.', EXAMPLE_IDS.deliveries),
  event: about(Type.String(), 'The name of the event, as in the body.', 'message.create.contact.chat'),
  eventId: about(Type.String(), 'The `id` in the body.', `${EXAMPLE_IDS.messages}-1`),
  service: idOf('services', 'The webhook that receives the event.'),
  organization: idOf('organizations', 'The organization of the service.'),
  conversation: Type.Optional(idOf('conversations', 'The conversation of the event.')),
  sequence: about(
    Type.Integer(),
    'The number of the event in its conversation, or in its organization if it has no conversation.',
    7,
  ),
  status: about(
    oneOf(DELIVERY_STATUSES),
    'The status. `pending`: to be sent. `failed`: given up. `skipped`: never sent, because the service is disabled.',
    'delivered',
  ),
  direction: Type.Optional(
    about(oneOf(['in']), '`in`: a post of a channel. Absent: an event for a service.', 'in'),
  ),
  createdAt: madeAndChanged.createdAt,
  finishedAt: Type.Optional(about(Time, 'The time at which the delivery arrived or was given up.')),
  expiresAt: Type.Optional(
    about(Time, 'The time of removal. For a pending delivery, present only while its service is not active.'),
  ),
};

const reckoned = {
  nextAttemptAt: Type.Optional(
    about(
      Time,
      'The next attempt of a pending delivery. Behind another delivery of the conversation: the latest time of the next check. Absent while the service is not active.',
    ),
  ),
  attemptCount: about(Type.Integer(), 'The number of attempts.', 1),
};

export const listedDeliverySchema = object('ListedDelivery', 'A delivery in a list.', {
  ...fields,
  ...reckoned,
});

export const attemptResult = {
  durationMs: about(Type.Number(), 'The duration in milliseconds.', 83),
  outcome: about(oneOf(ATTEMPT_OUTCOMES), 'The outcome of the attempt.', 'delivered'),
  status: Type.Optional(about(Type.Integer(), 'The HTTP status of the response.', 200)),
  response: Type.Optional(about(Type.String(), 'The first 16 KiB of the response.', 'OK')),
  reason: Type.Optional(
    about(Type.String(), 'The reason for a missing response, or the target of a redirect.', 'ECONNREFUSED'),
  ),
  requests: Type.Optional(
    about(
      Type.Integer(),
      'The number of requests, if more than one: an idle connection closed during the first request.',
      2,
    ),
  ),
};

const Attempt = object('DeliveryAttempt', 'One attempt to deliver an event.', {
  at: about(Time, 'The start of the attempt.'),
  ...attemptResult,
  reply: Type.Optional(
    about(Type.String(), 'The outcome of the messages in the response.', 'Posted 1 message.'),
  ),
});

export const webhookEventSchema = named(
  'WebhookEvent',
  about(Type.Unknown(), 'The body of the request.', SAMPLE_BODY),
);

const Media = object('InboundMedia', 'A file at the provider.', {
  url: about(
    Type.String(),
    'The address of the file at the provider.',
    'https://api.twilio.com/…/Media/ME1f0c',
  ),
  type: about(Type.String(), 'The media type that the provider declares.', 'image/jpeg'),
});

const ReceivedEntry = object('ReceivedEntry', 'An entry that a channel received.', {
  ...Entry.properties,
  media: Type.Optional(about(Type.Array(Media), 'Files to fetch from the provider.')),
});

/** See spec 7. */
export const deliverySchema = object('Delivery', 'An event for a webhook, with every attempt.', {
  ...fields,
  ...reckoned,
  attempts: about(Type.Array(Attempt), 'All attempts, oldest first.'),
  body: Type.Optional(webhookEventSchema),
  entry: Type.Optional(ReceivedEntry),
  post: Type.Optional(about(Type.String(), 'A post of a provider without a message.', 'MessageSid=…')),
});

const deliveryPaths = buildPaths(listedDeliverySchema, Object.keys(reckoned));

const presentStored = createPresenter(Type.Object(fields));

function presentDelivery(delivery: ListedDelivery): Record<string, unknown> {
  const { status, dueAt, retryAt, attempts } = delivery;
  const next = status === 'pending' ? (retryAt ?? dueAt) : undefined;
  return {
    ...presentStored(delivery),
    ...(next ? { nextAttemptAt: next.toISOString() } : {}),
    attemptCount: attempts.length,
  };
}

function presentWhole(delivery: DeliveryDocument): Record<string, unknown> {
  const attempts = delivery.attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt }));
  const body = JSON.parse(delivery.body ?? 'null') as unknown;
  const content = delivery.direction === 'in' ? presentPost(body) : { body };
  return { ...presentDelivery(delivery), attempts, ...content };
}

function presentPost(body: unknown): { entry?: unknown; post?: string } {
  const { entry, post } = (body ?? {}) as Partial<InboundRow & UnreadablePost>;
  return definedFields({ entry, post });
}

export const deliveries: Pick<RecordSource<DeliveryDocument>, 'name' | 'present' | 'find'> = {
  name: 'deliveries',
  present: presentWhole,
  find: findDelivery,
};

export const listedDeliveries: Pick<RecordSource<ListedDelivery>, 'name' | 'present' | 'paths' | 'list'> = {
  name: 'deliveries',
  present: presentDelivery,
  paths: deliveryPaths,
  list: listDeliveries,
};
