import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { ignoredFields } from '../../schema/ignored-fields.ts';
import { Meta } from '../../schema/kinds.ts';

const Thing = Type.Object({
  name: Type.String(),
  meta: Type.Optional(Meta),
  parts: Type.Optional(Type.Array(Type.Object({ size: Type.Number() }))),
  by: Type.Optional(Type.Union([Type.String(), Type.Object({ user: Type.String() })])),
  codes: Type.Optional(Type.Record(Type.String(), Type.Object({ on: Type.Boolean() }))),
});

describe('ignored fields', () => {
  test('ignored fields are found in every part of a body whose schema lists its fields', () => {
    const body = {
      name: 'a',
      nmae: 'b',
      meta: { free: { form: 1 } },
      parts: [{ size: 1 }, { size: 2, sise: 3 }],
      by: { user: 'u', usr: 'v' },
      codes: { web: { on: true, off: false } },
    };
    expect(ignoredFields(Thing, body)).toEqual([
      ['nmae'],
      ['parts', 1, 'sise'],
      ['by', 'usr'],
      ['codes', 'web', 'off'],
    ]);
    expect(ignoredFields(Type.Union([Thing, Type.Array(Thing)]), [body])[0]).toEqual([0, 'nmae']);
  });

  test('no ignored fields are reported for invalid bodies and for schemas that allow any value', () => {
    for (const body of [null, 7, 'text', [], [1], { name: { first: 1 } }])
      expect(ignoredFields(Thing, body)).toEqual([]);
    expect(ignoredFields(Type.Unknown(), { any: 1 })).toEqual([]);
  });

  test('ignored fields include fields with the names of properties that every object inherits', () => {
    const body = JSON.parse('{"name":"a","__proto__":{},"constructor":1,"toString":2}') as object;
    expect(ignoredFields(Thing, body).flat()).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test('the search for ignored fields visits a bounded number of values', () => {
    let asked = 0;
    const endless = new Proxy([] as unknown[], {
      get(_, key) {
        if (key === 'length') return 1e9;
        asked += 1;
        return { size: 1 };
      },
    });
    expect(ignoredFields(Thing, { name: 'a', parts: endless })).toEqual([]);
    expect(asked).toBeLessThanOrEqual(10_000);
  });
});
