import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RegexEngine } from '../../../application/expressions/process/engine.ts';

/** Returns all matches, in the order in which JSONata requests them. */
function matches(
  engine: { lastIndex: number; exec: (text: string) => RegExpExecArray | null },
  text: string,
) {
  const found: unknown[] = [];
  for (let at = 0; at <= text.length;) {
    engine.lastIndex = at;
    const match = engine.exec(text);
    if (!match) break;
    found.push([match.index, ...match]);
    at = Math.max(engine.lastIndex, match.index + match[0].length + (match[0] === '' ? 1 : 0));
  }
  return found;
}

describe('a regular expression in JSONata', () => {
  const patterns = [
    ...[
      /a/g,
      /^a/g,
      /a$/g,
      /(a)(b)?/g,
      /[a-c]+/g,
      /\d{2,3}/g,
      /a|bc/g,
      /A/gi,
      /^b/gm,
      /\bab\b/g,
      /(?:a|b)*?c/g,
    ],
    ...[/\u0061+/g, /a\/b/g, /(?<name>a)b/g, /[^a\n]+/g, /\w+\s\w+/g, /é/g, /./g, /x*/g],
  ];

  test.each(patterns)('a regular expression in JSONata matches the same as in JavaScript: %s', (pattern) => {
    const engine = new (RegexEngine as unknown as new (pattern: RegExp) => RegExp)(pattern);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '/', ' ', '\n', 'é', 'A') }),
        (text) => {
          expect(matches(engine, text)).toEqual(matches(new RegExp(pattern), text));
        },
      ),
    );
  });

  test('a regular expression in JSONata is rejected if it is not RE2 syntax', () => {
    const make = (pattern: RegExp) =>
      new (RegexEngine as unknown as new (pattern: RegExp) => RegExp)(pattern);
    expect(() => make(/(a)\1/g)).toThrow(/not RE2 syntax/);
    expect(() => make(/(?=a)/g)).toThrow(/not RE2 syntax/);
  });
});
