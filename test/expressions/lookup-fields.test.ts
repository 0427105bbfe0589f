import { expect, test } from 'vitest';
import { contactPaths } from '../../api/resources/contacts/schema.ts';
import { conversationPaths } from '../../api/resources/conversations/schema.ts';
import { organizationPaths } from '../../api/resources/organizations/schema.ts';
import type { Paths } from '../../api/listing/paths.ts';
import { LOOKUP_FIELDS } from '../../business-events/lookups.ts';

const LISTS: [keyof typeof LOOKUP_FIELDS, Paths][] = [
  ['conversation', conversationPaths],
  ['contact', contactPaths],
  ['organization', organizationPaths],
];

test.each(LISTS)('$%s looks for the fields that lists know', (name, paths) => {
  const known = new Set([...paths.keys()].map((path) => path.split('.')[0] ?? path));
  // Lists say them of other fields.
  if (name === 'conversation') for (const derived of ['url', 'messages']) known.delete(derived);
  expect([...LOOKUP_FIELDS[name]].sort()).toEqual([...known].sort());
});
