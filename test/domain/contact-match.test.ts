import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTACT_MATCHES, IDENTIFIERS, assertMatchable, matchContact } from '../../domain/contact-match.ts';
import type { IdentifiedContact, Identifier } from '../../domain/contact-match.ts';
import { DomainError } from '../../domain/errors.ts';

const ada: IdentifiedContact = { id: 'ada', telephone: '+311', email: 'ada@x.nl' };
const bob: IdentifiedContact = { id: 'bob', externalId: 'b', email: 'bob@x.nl' };

function refusal(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('not refused');
}

describe('an upsert that looks for its contact', () => {
  test('an upsert finds its contact by external id, then by telephone, then by email', () => {
    const match = undefined;
    expect(matchContact({ match, given: { email: 'ada@x.nl' }, holders: { email: ada } })).toBe(ada);
    const given = { telephone: '+311', email: 'new@x.nl' };
    expect(matchContact({ match, given, holders: { telephone: ada } })).toBe(ada);
    expect(matchContact({ match, given: { externalId: 'b' }, holders: { externalId: bob } })).toBe(bob);
    expect(matchContact({ match, given, holders: {} })).toBeUndefined();
  });

  test('an upsert refuses telephone and email of two contacts by default, and names both', () => {
    const given = { telephone: '+311', email: 'bob@x.nl' };
    const holders = { telephone: ada, email: bob };
    const { code, message } = refusal(() => matchContact({ match: undefined, given, holders }));
    expect([code, message]).toEqual(['unprocessable', expect.stringContaining('ada and bob')]);
  });

  test('an importer never gets a contact that has another external id', () => {
    const given = { externalId: 'other', email: 'bob@x.nl' };
    const { code, conflict } = refusal(() =>
      matchContact({ match: undefined, given, holders: { email: bob } }),
    );
    expect([code, conflict]).toEqual(['conflict', { resource: 'contacts', id: 'bob' }]);
  });

  test('match all refuses each of thirty people with the telephone of a contact with another email', () => {
    for (let person = 0; person < 30; person += 1) {
      const given = { telephone: '+311', email: `person-${person}@x.nl` };
      const { code, conflict } = refusal(() =>
        matchContact({ match: 'all', given, holders: { telephone: ada } }),
      );
      expect([code, conflict?.id]).toEqual(['conflict', 'ada']);
    }
  });

  test('match all finds a contact without a value for a given identifier', () => {
    const unknown = { id: 'eve', telephone: '+312' };
    const added = { telephone: '+312', email: 'eve@x.nl' };
    expect(matchContact({ match: 'all', given: added, holders: { telephone: unknown } })).toBe(unknown);
  });

  test('an upsert finds its contact by the named identifier alone, and refuses a value of another contact', () => {
    const given = { telephone: '+311', email: 'bob@x.nl' };
    const holders = { telephone: ada, email: bob };
    for (const [match, other] of [
      ['telephone', 'bob'],
      ['email', 'ada'],
    ] as const) {
      expect(refusal(() => matchContact({ match, given, holders })).conflict?.id).toBe(other);
    }
    expect(matchContact({ match: 'email', given, holders: { email: bob } })).toBe(bob);
    const duplicates = { match: 'all' as const, given, holders: { telephone: { id: 'ada' }, email: bob } };
    expect(
      refusal(() => matchContact(duplicates)).message,
      'both contacts are named, with the request that merges them',
    ).toContain('POST /contacts/ada/merge {"contact":"bob"}');
  });

  test('an upsert needs the identifier that it matches by', () => {
    expect(refusal(() => assertMatchable('email', { telephone: '+311' })).code).toBe('invalid_request');
    expect(() => assertMatchable('all', { telephone: '+311' })).not.toThrow();
  });

  test('an upsert never changes a value that another contact has, with every value of match', () => {
    const contact = fc.constantFrom(ada, bob, undefined);
    const holders = fc.record({ externalId: contact, telephone: contact, email: contact });
    fc.assert(
      fc.property(fc.constantFrom(undefined, ...CONTACT_MATCHES), holders, (match, held) => {
        const given = Object.fromEntries(IDENTIFIERS.map((key) => [key, held[key]?.[key] ?? `new ${key}`]));
        let found: IdentifiedContact | undefined;
        try {
          found = matchContact({ match, given, holders: held });
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          return;
        }
        for (const key of IDENTIFIERS as readonly Identifier[]) {
          expect([undefined, found?.id]).toContain(held[key]?.id);
        }
      }),
    );
  });
});
