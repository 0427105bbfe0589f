import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { recordKind } from '../../records/kind.ts';
import { assertValidExpression } from './expression.ts';
import { eventTypeInput, eventTypePatch, eventTypeSchema } from './schema.ts';

/** Event types (spec 8.1). An expression in one is one that can be read. */
export const eventTypes = recordKind({
  name: 'eventtypes',
  schema: eventTypeSchema,
  input: eventTypeInput,
  patch: eventTypePatch,
  store: eventTypeRecords,
  taken: { path: 'name', message: 'another event type of the organization has it' },
  check: async ({ jsonata }, request, api) => {
    if (jsonata != null) await assertValidExpression(jsonata, request, api);
  },
  draft: ({ name, description, jsonata }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(jsonata === undefined ? {} : { jsonata }),
  }),
  change: ({ name, description, jsonata }) => ({ name, description, jsonata }),
});
