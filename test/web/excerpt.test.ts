import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findExcerpt } from '../../web/console/inbox/excerpt.ts';

const show = (text: string, search: string) =>
  findExcerpt(text, search)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');

describe('the excerpt of a found message', () => {
  test.each([
    ['My order 48213 is late', '48213', 'My order [48213] is late'],
    ['A new casco', 'CAS', 'A new [cas]co'],
    ['Der Bäcker öffnet', 'backer', 'Der [Bäcker] öffnet'],
    ['brake, broken brake', 'brake', '[brake], broken [brake]'],
    ['unbroken', 'broken', 'unbroken'],
    ['In der Straße', 'strasse', 'In der [Straße]'],
    ['我想买自行车', '自行', '我想买[自行]车'],
    ['two words', 'words two', '[two] [words]'],
    ['lines\n  and blanks', 'and', 'lines [and] blanks'],
  ])('the words of a search are marked in “%s”', (text, search, shown) => {
    expect(show(text, search)).toBe(shown);
  });

  test('the excerpt of a long text begins before the first match, at a word', () => {
    const text = `${'before '.repeat(40)}needle ${'after '.repeat(40)}`;
    const shown = show(text, 'needle');
    expect(shown).toMatch(/^…before (before )*\[needle\] after .*…$/);
    expect(shown.length).toBeLessThan(200);
  });

  test('a found word is near the begin of its excerpt, so that a row of the inbox shows it', () => {
    const shown = show('@Carl Conrad do we have the boots in 42?', 'boots');
    expect(shown).toBe('…we have the [boots] in 42?');
  });

  test('an excerpt is a part of the text for any text and any search', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 20 }),
        (text, search) => {
          const pieces = findExcerpt(text, search).filter(({ text: piece }) => piece !== '…');
          const line = text.replace(/\s+/g, ' ').trim();
          expect(line).toContain(pieces.map((piece) => piece.text).join(''));
        },
      ),
    );
  });
});
