import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeContact, withoutTaken } from '../../domain/contact-merge.ts';
import type { MergedContact } from '../../domain/contact-merge.ts';

const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
const freeForm = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value);
const profile = fc.record(
  {
    name: fc.string(),
    email: fc.constantFrom('a@x.example', 'b@x.example'),
    telephone: fc.constantFrom('+31201234567', '+31207654321'),
    address: fc.dictionary(fc.constantFrom('street', 'city'), fc.string()),
  },
  { requiredKeys: [] },
);
const contact: fc.Arbitrary<MergedContact> = fc.record(
  { externalId: fc.constantFrom('crm-1', 'crm-2'), profile, settings: freeForm, meta: freeForm },
  { requiredKeys: ['profile'] },
);

/** Returns the values by path. Null counts as absent. */
function flatten({ externalId, profile: fields, settings = {}, meta = {} }: MergedContact) {
  const groups = { profile: fields, settings, meta };
  const entries = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values as Record<string, unknown>).map(([key, one]) => [`${group}.${key}`, one] as const),
  );
  const all = [...entries, ['externalId', externalId] as const];
  return new Map(all.filter(([, one]) => one !== undefined && one !== null));
}

/** Spec 4.7. */
describe('the merge of two contacts', () => {
  test('the merge of two contacts keeps all values of the survivor and loses none of the other without a report', () => {
    fc.assert(
      fc.property(contact, contact, (survivor, other) => {
        const { changes, notKept } = mergeContact(survivor, other);
        const [before, given] = [flatten(survivor), flatten(other)];
        const after = flatten({ ...survivor, ...changes });
        for (const [path, one] of before) expect(after.get(path)).toEqual(one);
        const lost = new Map(notKept.map(({ path, value: one }) => [path, one]));
        for (const [path, one] of given) {
          if (before.has(path) && JSON.stringify(before.get(path)) !== JSON.stringify(one)) {
            expect(lost.get(path)).toEqual(one);
          } else expect(after.get(path)).toEqual(one);
        }
        expect(after.size).toBe(new Set([...before.keys(), ...given.keys()]).size);
      }),
    );
  });

  test.each([
    [true, undefined, undefined],
    [false, true, true],
    [undefined, true, true],
    [undefined, undefined, undefined],
    [true, true, undefined],
  ])('the merge of contacts with blocked %j and %j changes it to %j', (kept, given, expected) => {
    const { changes } = mergeContact({ profile: {}, blocked: kept }, { profile: {}, blocked: given });
    expect(changes.blocked).toBe(expected);
  });

  test('a repeated merge of two contacts changes nothing and reports the same', () => {
    fc.assert(
      fc.property(contact, contact, (survivor, other) => {
        const first = mergeContact(survivor, other);
        expect(mergeContact({ ...survivor, ...first.changes }, other)).toEqual({
          changes: {},
          notKept: first.notKept,
        });
      }),
    );
  });

  test('the merge of two contacts leaves identifiers to a third contact and reports them', () => {
    const other = { externalId: 'crm-2', profile: { email: 'b@x.example', name: 'B' }, meta: { a: 1 } };
    const merge = mergeContact({ profile: {} }, other);
    expect(withoutTaken(merge, { email: 'b@x.example' })).toEqual({
      changes: { externalId: 'crm-2', profile: { name: 'B' }, meta: { a: 1 } },
      notKept: [{ path: 'profile.email', value: 'b@x.example' }],
    });
    expect(withoutTaken(merge, { externalId: 'crm-2' }).changes).not.toHaveProperty('externalId');
  });

  test('the survivor gets the addresses of both contacts on channels, each once', () => {
    const sms = { service: 's1', touchpoint: 'sms', id: '+31201234567', since: '2026-03-14T09:00:00.000Z' };
    const telegram = { service: 's2', touchpoint: 'telegram', id: '77', since: '2026-03-15T09:00:00.000Z' };
    const survivor = { profile: {}, identities: [sms] };
    const { changes } = mergeContact(survivor, { profile: {}, identities: [sms, telegram] });
    expect(changes).toEqual({
      identities: [telegram, sms],
      identityKeys: ['s2:77', 's1:+31201234567'],
    });
    expect(mergeContact({ profile: {}, ...changes }, survivor).changes).toEqual({});
  });
});
