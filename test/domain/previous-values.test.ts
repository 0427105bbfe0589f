import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previousValues } from '../../domain/events/previous-values.ts';

test('previousValues returns the earlier values of changed fields, and null for a field that was absent', () => {
  const before = { id: 'a', name: 'Ada', meta: { a: 1 }, tags: ['x'], updatedAt: '2026-01-01' };
  const after = {
    id: 'a',
    name: 'Grace',
    meta: { a: 1 },
    avatar: 'https://a.example',
    updatedAt: '2026-01-02',
  };
  expect(previousValues(before, after)).toEqual({ name: 'Ada', tags: ['x'], avatar: null });
});

test('previousValues leaves out values of more than 4,096 characters', () => {
  expect(previousValues({ text: 'x'.repeat(4_094) }, { text: '' })).toHaveProperty('text');
  expect(previousValues({ text: 'x'.repeat(4_095) }, { text: '' })).toEqual({});
});

test('a record with its previous values restored equals the earlier record', () => {
  const record = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.oneof(fc.integer(), fc.string(), fc.array(fc.boolean(), { maxLength: 3 })),
  );
  fc.assert(
    fc.property(record, record, (before, after) => {
      const restored = { ...after, ...previousValues(before, after) };
      const kept = Object.entries(restored).filter(([, value]) => value !== null);
      expect(Object.fromEntries(kept)).toEqual({ ...before });
    }),
  );
});
