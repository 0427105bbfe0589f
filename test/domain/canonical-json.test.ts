import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../domain/json.ts';

const canonical = (text: string) => canonicalJson(JSON.parse(text));

describe('canonicalJson', () => {
  test.each([
    ['the order of keys, at every level', '{"b":[{"d":1,"c":2}],"a":0}', '{"a":0,"b":[{"c":2,"d":1}]}'],
    ['blanks and line breaks', '{ "a" :\n[ 1,\t2 ] }\n', '{"a":[1,2]}'],
    ['escapes', '{"\\u0061":"caf\\u00e9 \\/"}', '{"a":"café /"}'],
    ['the spelling of numbers', '[1.0,1e2,100e-1,-0,0.10]', '[1,100,10,0,0.1]'],
    ['all but the last of repeated keys', '{"a":1,"a":2}', '{"a":2}'],
  ])('canonicalJson ignores %s', (_, one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  test.each([
    ['[1,2]', '[2,1]'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', '{}'],
    ['{"__proto__":{"a":1}}', '{}'],
    ['[[1],2]', '[1,[2]]'],
  ])('canonicalJson distinguishes %s from %s', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });
});
