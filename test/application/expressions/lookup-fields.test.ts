import { expect, test } from 'vitest';
import { contacts } from '../../../api/resources/contacts/schema.ts';
import { conversationPaths } from '../../../api/resources/conversations/schema.ts';
import { organizations } from '../../../api/resources/organizations/schema.ts';
import type { Paths } from '../../../api/listing/paths.ts';
import { LOOKUP_FIELDS, createLookupResolver } from '../../../application/business-events/evaluate-event.ts';

const LISTS: [keyof typeof LOOKUP_FIELDS, Paths][] = [
  ['conversation', conversationPaths],
  ['contact', contacts.paths],
  ['organization', organizations.paths],
];

test.each(LISTS)('the lookup $%s filters by the same stored fields as lists of the API', (name, paths) => {
  const known = new Set([...paths.keys()].map((path) => path.split('.')[0] ?? path));
  // The list queries of the API translate these fields to stored fields.
  if (name === 'conversation') for (const derived of ['url', 'messages']) known.delete(derived);
  expect([...LOOKUP_FIELDS[name]].sort()).toEqual([...known].sort());
});

test.each(['2026-02-30', '2026-13-01', '2026-05-04T25:00:00Z', 'soon'])(
  'a lookup rejects the invalid time %s',
  async (createdAt) => {
    const look = createLookupResolver({ organization: 'o' }, 'http://localhost');
    await expect(look({ name: 'contact', filter: JSON.stringify({ createdAt }) })).rejects.toThrow(
      '"createdAt" must be an ISO 8601 time.',
    );
  },
);
