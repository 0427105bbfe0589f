import { describe, expect, test } from 'vitest';
import type { Contact } from '@parlance/client';
import { getContactName, listValues, searchContacts } from '../../web/console/contacts/contact.ts';
import { previewMerge } from '../../web/console/contacts/merge-preview.ts';

const contact = (fields: object) =>
  ({
    id: 'c1',
    organization: 'o1',
    profile: {},
    settings: {},
    meta: {},
    createdAt: '',
    ...fields,
  }) as Contact;

describe('the preview of a merge', () => {
  test('a merge shows for each field what stays, what is added and what is lost', () => {
    const survivor = contact({
      profile: { name: 'Ada', email: 'ada@example.com', address: { city: 'London' } },
      meta: { plan: 'gold' },
    });
    const gone = contact({
      externalId: '17',
      profile: { name: 'Ada L.', telephone: '+31201234567', address: { city: 'Paris', street: 'Quai 1' } },
      meta: { plan: 'gold', since: { year: 1842 } },
    });
    const shown = previewMerge(survivor, gone).map(({ label, stays, isAdded, lost }) =>
      [label, stays, isAdded ? 'added' : '', lost ?? ''].join('|'),
    );
    expect(shown).toEqual([
      'Name|Ada||Ada L.',
      'Email|ada@example.com||',
      'Address|City: London||City: Paris, Street: Quai 1',
      'Telephone|+31201234567|added|',
      'Your own number|17|added|',
      'plan|gold||',
      'since|year: 1842|added|',
    ]);
  });

  test('a merge adds the addresses on channels', () => {
    const identity = (id: string, since: string) => ({ service: 's1', touchpoint: 'sms', id, since });
    const merged = previewMerge(
      contact({ identities: [identity('+31611111111', '2026-02-01T00:00:00.000Z')] }),
      contact({ identities: [identity('+31622222222', '2026-01-01T00:00:00.000Z')] }),
    );
    expect(merged.map(({ stays }) => stays)).toEqual(['SMS +31611111111, SMS +31622222222']);
  });
});

describe('a contact in the console', () => {
  test.each([
    [{ name: 'Ada', givenName: 'Augusta' }, 'Ada'],
    [{ givenName: 'Augusta', familyName: 'King' }, 'Augusta King'],
    [{ name: '\u200b', email: 'ada@example.com' }, 'ada@example.com'],
    [{}, 'Visitor without a name'],
  ])('a contact with the profile %j is called %s', (profile, name) => {
    expect(getContactName({ profile })).toBe(name);
  });

  test('contacts without a name differ by the time of their first visit, as in the inbox', () => {
    const names = ['2026-03-14T09:15:00Z', '2026-03-14T10:30:00Z'].map((createdAt) =>
      getContactName(contact({ createdAt })),
    );
    expect(names).toEqual([
      expect.stringMatching(/^Visitor, .*:15/),
      expect.stringMatching(/^Visitor, .*:30/),
    ]);
  });

  test('a search has a condition for each word, and each condition has all fields', () => {
    const query = searchContacts('Ada  (King)');
    expect(Object.values(query)).toEqual(['Ada', '\\(King\\)']);
    const fields = Object.keys(query).map((key) => key.split(',').sort());
    expect(fields[0]).toEqual(fields[1]);
    expect(searchContacts('')).toEqual({});
  });

  test.each([
    ['020 123 45 67', '201234567'],
    ['+31 (0)20', '3120'],
    ['0031-20', '3120'],
    ['42', '42'],
  ])('a search for %s finds a telephone that contains %s', (text, digits) => {
    expect(Object.values(searchContacts(text))).toEqual([digits]);
  });

  test('free-form data is shown as names and values, not as JSON', () => {
    expect(
      listValues({ order: { number: 7, tags: ['a', 'b'] }, empty: null, vip: true, lines: [{ sku: 'x' }] }),
    ).toEqual([
      { name: 'order › number', value: '7' },
      { name: 'order › tags', value: 'a, b' },
      { name: 'vip', value: 'true' },
      { name: 'lines › 1 › sku', value: 'x' },
    ]);
  });
});
