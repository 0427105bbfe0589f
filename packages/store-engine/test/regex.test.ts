import { BSONRegExp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { isEngine, useServer } from './support.ts';

const server = useServer();

async function found(texts: string[], filter: object): Promise<string[]> {
  const collection = server.fresh();
  await collection.insertMany(texts.map((text, position) => ({ _id: position, text })));
  const all = await collection.find(filter).sort({ _id: 1 }).toArray();
  return all.map(({ text }) => String(text));
}

describe('a regular expression', () => {
  test.each([
    ['a dot', 'b.c', '', ['b.c', 'a b.c']],
    ['escaped text', 'b\\.c', '', ['b.c', 'a b.c']],
    ['an escaped dash', 'x\\-y', '', ['x-y']],
    ['an anchored beginning', '^b', '', ['b.c', 'banana']],
    ['an anchored end', 'na$', '', ['banana', 'BANANA and banana']],
    ['both anchors', '^abc$', '', ['abc']],
    ['repetition', '(an)+', '', ['banana', 'BANANA and banana']],
    ['option i', 'BANANA', 'i', ['banana', 'BANANA and banana']],
    ['option i and a letter outside ASCII', '^ÄRGER', 'i', ['ärger']],
    ['option m', '^two$', 'm', ['one\ntwo']],
    ['option s', 'one.two', 's', ['one\ntwo']],
    ['option x', 'b a n # the beginning\n ana', 'x', ['banana', 'BANANA and banana']],
    ['a named class', '^[[:digit:]]+$', '', ['42']],
    ['an option in the pattern', '(?i)^BANANA$', '', ['banana']],
  ])('a regular expression with %s finds the matching texts', async (_what, pattern, options, expected) => {
    const texts = ['abc', 'b.c', 'a b.c', 'x-y', 'banana', 'BANANA and banana', 'ärger', 'one\ntwo', '42'];
    expect(await found(texts, { text: new BSONRegExp(pattern, options) })).toEqual(expected);
  });

  test('a regular expression is refused when it is malformed', async () => {
    await expect(found(['a'], { text: { $regex: '(' } })).rejects.toMatchObject({ code: 51091 });
  });
});

describe.runIf(isEngine)("a stranger's regular expression", () => {
  test.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(?>a+)b', 'a++b'])(
    "a stranger's regular expression is refused when only backtracking could match it: %s",
    async (pattern) => {
      await expect(found(['a'], { text: { $regex: pattern } })).rejects.toMatchObject({ code: 238 });
    },
  );

  test.each(['^(a+)+$', '(a|aa)+$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*){10}b$'])(
    "a stranger's regular expression does not stall the store: %s",
    async (pattern) => {
      const texts = Array.from({ length: 20 }, (_, n) => `${'a'.repeat(1000 + n)}!`);
      const searching = found(texts, { text: { $regex: pattern } });
      expect(await server.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
      expect(await searching).toEqual([]);
    },
    20_000,
  );

  test("a stranger's regular expression is refused for a text that would take too long", async () => {
    const text = 'ab'.repeat(200_000);
    await expect(found([text], { text: { $regex: '(a|b)*a(a|b){50}$' } })).rejects.toMatchObject({
      code: 51156,
    });
    expect(await found([text], { text: { $regex: 'abab$' } })).toHaveLength(1);
  });
});
