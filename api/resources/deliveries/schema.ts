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
import { buildPaths } from '../../listing/paths.ts';
import type { DeliveryDocument, ListedDelivery } from '../../../store/delivery/deliveries.ts';
import { findDelivery, listDeliveries } from '../../../store/delivery/deliveries.ts';
import type { RecordSource } from '../../records/resource.ts';
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
  event: about(Type.String(), "The event's name, as in its body.", 'message.create.contact.chat'),
  eventId: about(Type.String(), 'The `id` of its body.', `${EXAMPLE_IDS.messages}-1`),
  service: idOf('services', 'The webhook that it goes to.'),
  organization: idOf('organizations', 'The organization of the service.'),
  conversation: Type.Optional(idOf('conversations', 'The conversation that the event tells of.')),
  sequence: about(
    Type.Integer(),
    'Its place among the events of its conversation, or of its organization where it has none.',
    7,
  ),
  status: about(
    oneOf(DELIVERY_STATUSES),
    'Where it is: `pending` is to be sent, `failed` was given up, `skipped` was never sent, because the service is disabled.',
    'delivered',
  ),
  createdAt: madeAndChanged.createdAt,
  finishedAt: Type.Optional(about(Time, 'When it arrived or was given up.')),
  expiresAt: Type.Optional(
    about(
      Time,
      'When it is removed. Of pending ones only while they wait for their service to become active.',
    ),
  ),
};

const reckoned = {
  nextAttemptAt: Type.Optional(
    about(
      Time,
      'Of pending ones. For those behind another one of their conversation: when they are looked at again at the latest. Absent while they wait for their service to become active.',
    ),
  ),
  attemptCount: about(Type.Integer(), 'How often it was tried.', 1),
};

export const listedDeliverySchema = object('ListedDelivery', 'A delivery, as lists show it.', {
  ...fields,
  ...reckoned,
});

export const attemptResult = {
  durationMs: about(Type.Number(), 'How long it took, in milliseconds.', 83),
  outcome: about(oneOf(ATTEMPT_OUTCOMES), 'What came of it.', 'delivered'),
  status: Type.Optional(about(Type.Integer(), 'The HTTP status of the answer.', 200)),
  response: Type.Optional(about(Type.String(), 'The first 16 KiB of the answer.', 'OK')),
  reason: Type.Optional(
    about(Type.String(), 'Why there was no answer, or where a redirect points.', 'ECONNREFUSED'),
  ),
  requests: Type.Optional(
    about(
      Type.Integer(),
      'How many requests were made, where more than one: an idle connection closed under the first.',
      2,
    ),
  ),
};

const Attempt = object('DeliveryAttempt', 'One attempt to deliver an event.', {
  at: about(Time, 'When it began.'),
  ...attemptResult,
  reply: Type.Optional(
    about(Type.String(), 'What became of the messages in the answer.', 'Posted 1 message.'),
  ),
});

/** See spec 7. */
export const deliverySchema = object('Delivery', 'An event on its way to a webhook, with every attempt.', {
  ...fields,
  ...reckoned,
  attempts: about(Type.Array(Attempt), 'Every attempt, the first one first.'),
  body: named('WebhookEvent', about(Type.Unknown(), 'What is sent.', SAMPLE_BODY)),
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
  return { ...presentDelivery(delivery), attempts, body: JSON.parse(delivery.body ?? 'null') as unknown };
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
