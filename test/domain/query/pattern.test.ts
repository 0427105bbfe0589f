import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../domain/errors.ts';
import { compilePattern } from '../../../domain/query/pattern.ts';
import { cpuTimeMs } from '../../support/cpu-time.ts';

const translate = (text: string, ignoreCase = false) =>
  compilePattern({ name: 'name', text, at: 0 }, { kind: 'text', ignoreCase });
const refusal = (text: string) => {
  try {
    return translate(text).pattern;
  } catch (error) {
    return error instanceof DomainError ? error.code : error;
  }
};
const seed = Number(process.env['FC_SEED'] ?? 1988);

/**
 * Translates a pattern for JavaScript, a backtracking engine like PCRE. Returns undefined for
 * inline flags, which Node 20 does not support. The test below also skips characters outside the
 * basic multilingual plane, because V8 treats `\b` after them differently.
 */
function inJavaScript(pattern: string, ignoreCase: boolean): RegExp | undefined {
  if (/\(\?-?i:/.test(pattern)) return undefined;
  const text = pattern
    .replaceAll('\\x{', '\\u{')
    .replaceAll('\\z', '(?![^])')
    .replaceAll('(?m:$)', '(?![^\\n])')
    .replaceAll('(?m:^)', '(?<![^\\n])');
  return new RegExp(text, ignoreCase ? 'iu' : 'u');
}

/** Spec 9.3 (regex). */
describe('a regex pattern', () => {
  test.each([
    ['plain.text', 'plain[^\\x{a}]text'],
    ['^a|b$', '^a|b\\z'],
    ['(?i)x1(?-i)y', '(?i:x)1y'],
    ['a{2,3}?b+?', 'a{2,3}b+'],
    ['\\d\\s', '[0-9][\\x{9}-\\x{a}\\x{c}-\\x{d} ]'],
    ['(?P<n>a|b)c', '(?:a|b)c'],
    ['\\Qa.b\\E+', 'a\\.b+'],
    ['a{,3}', 'a\\{,3\\}'],
    ['[[:digit:]_-]', '[0-9_\\-]'],
    ['(\\d+,)*\\pL', '(?:[0-9]+,)*[\\p{L}]'],
  ])('the regex pattern %s is compiled to a syntax that all engines share', (text, expected) => {
    expect(translate(text).pattern).toBe(expected);
  });

  test.each(
    [
      '(',
      ')',
      '[',
      '*',
      'a**',
      'a*+',
      'a{2}{3}',
      'x{1001}',
      '(x{100}){11}',
      '\\1',
      '\\C',
      '(?=a)',
      '(?<!a)',
      '(?>a)',
      '\\8',
      'a\\',
    ].concat(['[b-a]', '[a', '\\p{Nobody}', '[[:nobody:]]', '(?x)a', '\\x{110000}', '\\xd', 'a'.repeat(257)]),
  )('the regex pattern %s is rejected', (text) => {
    expect(refusal(text)).toBe('invalid_request');
  });

  test.each([
    '(a+)+$',
    '(a|a)*b',
    '(a|aa)+$',
    '(a*)*',
    '(\\w+\\s?)+$',
    '(.*a){1,20}(.*)*',
    '((a{1,2}){1,2})*',
    '(?i)(a|A)*',
    '(\\pL|a)*',
  ])('the regex pattern %s, which could backtrack without bound, is rejected', (text) => {
    expect(refusal(text)).toBe('invalid_request');
  });

  test.each(['(\\d+,)*\\d', '^(?:[a-z]+ )*x', '(a|b)*', '(ab|cd)+', '(a{4})+', '([^,]*,){3}', 'a*a*b'])(
    'the regex pattern %s, which can match a text in only a few ways, is accepted',
    (text) => {
      expect(typeof refusal(text)).toBe('string');
      expect(refusal(text)).not.toBe('invalid_request');
    },
  );

  const atom = fc.constantFrom(
    ...[
      'a',
      'b',
      'A',
      '.',
      '\\d',
      '\\w',
      '\\S',
      '[ab]',
      '[^a]',
      '[a-c1]',
      '\\.',
      '\\n',
      '-',
      ' ',
      'é',
      '😀',
      '\\x41',
      '[\\s_]',
    ],
    ...[
      '^',
      '$',
      '\\b',
      '\\B',
      '\\A',
      '\\z',
      '(?i)',
      '(?s)',
      '(?m)$',
      '\\Qa.\\E',
      '\\pL',
      '[\\pLb]',
      '[]a]',
      '{',
      '(?i:a)',
    ],
  );
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '{'))
        .map(([a, times]) => `(?:${a})${times}`),
    ),
  }));
  const subject = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', 'B', '1', '.', ' ', '\n', '-', '_', 'é', 'É', '😀'),
    maxLength: 8,
  });

  test('an accepted regex pattern matches the same texts after translation, in RE2 and in JavaScript, and its translation takes bounded time', () => {
    let longestMs = 0;
    let compiledMs = 0;
    fc.assert(
      fc.property(
        pattern,
        fc.array(subject, { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (text, subjects, ignoreCase) => {
          const startedAt = cpuTimeMs();
          let translated: string;
          try {
            translated = translate(text, ignoreCase).pattern;
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
            return;
          } finally {
            longestMs = Math.max(longestMs, cpuTimeMs() - startedAt);
          }
          const translatedAt = cpuTimeMs();
          const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
          const [meant, written] = [RE2JS.compile(text, flags), RE2JS.compile(translated, flags)];
          compiledMs += cpuTimeMs() - translatedAt;
          const javaScript = inJavaScript(translated, ignoreCase);
          for (const one of subjects) {
            expect([translated, one, written.test(one)]).toEqual([translated, one, meant.test(one)]);
            expect([
              translated,
              one,
              (one.includes('😀') ? undefined : javaScript?.test(one)) ?? meant.test(one),
            ]).toEqual([translated, one, meant.test(one)]);
          }
        },
      ),
      { numRuns: 1500, seed },
    );
    // The slowest translation takes less time than all compilations together.
    expect(longestMs).toBeLessThan(compiledMs);
  });
});
