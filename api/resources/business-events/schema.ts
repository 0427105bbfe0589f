import Type from 'typebox';
import { EVENT_STATUSES } from '../../../store/records/business-events.ts';
import { Id, Time, oneOf } from '../../../schema/kinds.ts';
import { pathsOf } from '../../listing/paths.ts';

/** The body of a business event: any JSON. */
export const eventInput = Type.Unknown();

const outcome = {
  id: Id,
  status: oneOf(EVENT_STATUSES),
  conversations: Type.Array(Id),
  messages: Type.Array(Id),
};

/** What sending an event answers (spec 8). */
export const eventOutcomeSchema = Type.Object(outcome);

/** An event as it is shown. Lists leave out bodies above 16 KiB. */
export const eventSchema = Type.Object({
  ...outcome,
  organization: Id,
  name: Type.String(),
  eventtype: Id,
  body: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    Type.Object({
      message: Type.String(),
      details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
    }),
  ),
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
  processedAt: Type.Optional(Time),
});

/** The fields of events that queries may name. */
export const eventPaths = pathsOf(eventSchema, [
  'body',
  'error',
  'error.message',
  'error.details',
  'error.details.path',
  'error.details.message',
]);
