import type { Static } from 'typebox';
import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { recordHandlers } from '../../records/handlers.ts';
import { withReadableExpression } from './expression.ts';
import { eventTypeResource } from './present.ts';
import { eventTypePaths } from './schema.ts';
import type { eventTypeInput, eventTypePatch } from './schema.ts';

type EventTypeInput = Static<typeof eventTypeInput>;
type EventTypePatch = Static<typeof eventTypePatch>;

const records = recordHandlers({
  resource: eventTypeResource,
  paths: eventTypePaths,
  store: eventTypeRecords,
  taken: { path: 'name', message: 'another event type of the organization has it' },
  draft: ({ name, description, jsonata }: EventTypeInput) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(jsonata === undefined ? {} : { jsonata }),
  }),
  change: ({ name, description, jsonata }: EventTypePatch) => ({ name, description, jsonata }),
});

/**
 * The requests of /eventtypes that concern the record. An expression in it is one that can be read.
 */
export const eventTypes = {
  ...records,
  create: withReadableExpression(records.create),
  update: withReadableExpression(records.update),
};
