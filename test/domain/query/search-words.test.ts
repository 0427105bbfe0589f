import { describe, expect, test } from 'vitest';
import { UNFOLDED, searchWords } from '../../../domain/query/search-words.ts';

/** Spec 5.10. */
describe('words that are searched', () => {
  test.each([
    ['Straße', 'strasse'],
    ['GROẞ', 'gross'],
    ['Løvelace', 'lovelace'],
    ['ØRSTED', 'orsted'],
    ['Łódź', 'lodz'],
    ['Đorđe', 'dorde'],
    ['Ærø', 'aero'],
    ['œuvre', 'oeuvre'],
    ['Ǿ', 'o'],
    ['Zürich', 'zurich'],
    ['İstanbul', 'istanbul'],
    ['Ελλάς', 'ελλας'],
  ])('have neither case, nor marks, nor letters of their own: %s is %s', (text, word) => {
    expect(searchWords(text)).toEqual([word]);
    expect(word).not.toMatch(new RegExp(UNFOLDED));
    expect(searchWords(word), 'again').toEqual([word]);
  });

  test('are the same for both spellings, and each once', () => {
    expect(searchWords('Straße, STRASSE', ['strasse'])).toEqual(['strasse']);
  });
});
