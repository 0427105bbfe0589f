import Type from 'typebox';
import { ATTEMPT_OUTCOMES, DELIVERY_STATUSES } from '../../../domain/delivery/delivery.ts';
import { Id, Time, oneOf } from '../../../schema/kinds.ts';
import { pathsOf } from '../../listing/paths.ts';

const fields = {
  /** Event and service: `{eventId}:{service}`. */
  id: Type.String(),
  /** The event's name, as in its body. */
  event: Type.String(),
  /** The `id` of its body. */
  eventId: Type.String(),
  service: Id,
  /** The organization of the service. */
  organization: Id,
  conversation: Type.Optional(Id),
  sequence: Type.Integer(),
  status: oneOf(DELIVERY_STATUSES),
  createdAt: Time,
  finishedAt: Type.Optional(Time),
  /**
   * When it is removed. Of pending ones only while they wait for their service to become active.
   */
  expiresAt: Type.Optional(Time),
};

const reckoned = {
  /**
   * Of pending ones. For those behind another one of their conversation: when they are looked at
   * again at the latest. Absent while they wait for their service to become active.
   */
  nextAttemptAt: Type.Optional(Time),
  attemptCount: Type.Integer(),
};

/** A delivery in a list. */
export const listedDeliverySchema = Type.Object({ ...fields, ...reckoned });

/** A delivery by itself (spec 7). */
export const deliverySchema = Type.Object({
  ...fields,
  ...reckoned,
  attempts: Type.Array(
    Type.Object({
      at: Time,
      durationMs: Type.Number(),
      outcome: oneOf(ATTEMPT_OUTCOMES),
      status: Type.Optional(Type.Integer()),
      response: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      reply: Type.Optional(Type.String()),
    }),
  ),
  body: Type.Unknown(),
});

/** The fields of deliveries that queries may name. */
export const deliveryPaths = pathsOf(listedDeliverySchema, Object.keys(reckoned));
