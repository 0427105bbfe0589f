import { describe, expect, test } from 'vitest';
import { searchTerms } from '../../../domain/query/search-terms.ts';
import { contactWords, searchWords } from '../../../domain/query/search-words.ts';

function isFound(words: readonly string[], search: string): boolean {
  return searchTerms(search).every((readings) =>
    readings.some((prefixes) => prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))),
  );
}

/** Spec 5.10. */
describe('the search words of a text', () => {
  test.each([
    ['Straße', ['strasse']],
    ['GROẞ', ['gross']],
    ['Løvelace', ['lovelace', 'loevelace']],
    ['ØRSTED', ['orsted', 'oersted']],
    ['Łódź', ['lodz']],
    ['Đorđe', ['dorde']],
    ['Ærø', ['aero', 'aeroe']],
    ['œuvre', ['oeuvre']],
    ['Ǿ', ['o']],
    ['Zürich', ['zurich', 'zuerich']],
    ['İstanbul', ['istanbul']],
    ['KADIKÖY', ['kadikoy', 'kadikoey']],
    ['ışık', ['isik']],
    ['Þór', ['thor']],
    ['ðorn', ['dorn']],
    ["O'Brien", ['o', 'brien', 'obrien']],
    ['Ελλάς', ['ελλασ']],
  ])(
    'the search words of a text are in lower case, without marks and special letters: %s becomes %j',
    (text, words) => {
      expect(searchWords(text)).toEqual(words);
      expect(searchWords(...words), 'again').toEqual(words);
    },
  );

  test('the search words of two texts contain each word once, even if the texts spell it differently', () => {
    expect(searchWords('Straße, STRASSE', ['strasse'])).toEqual(['strasse']);
  });
});

describe('a search finds', () => {
  test.each([
    ['Kadıköy', ['KADIKÖY', 'kadikoy', 'kadıköy', 'KADİKÖY']],
    ['IŞIK', ['ışık', 'isik', 'Işık', 'ISIK']],
    ['ıstanbul', ['istanbul', 'İSTANBUL']],
    ['Müller', ['muller', 'Mueller', 'MÜLLER', 'müll']],
    ['Mueller', ['mueller', 'Müller']],
    ['Μάστορας', ['ΜΑΣ', 'μασ', 'μας', 'ΜΆΣΤΟΡΑΣ', 'μάστορας', 'μαστορασ']],
    ['ΟΔΟΣ Άσπρος', ['οδος', 'οδοσ', 'ΟΔΟΣ', 'ΑΣ', 'ας', 'άσπρ']],
    ['O’Brien', ['obrien', "O'Brien", 'oʼbrien', 'brien', 'OBri']],
    ['a@xn--exmple-cua.de', ['a@exämple.de', 'A@XN--exmple-cua.de']],
    ['OBrien', ["O'Brien", 'O´Brien']],
    ['株式会社東京', ['東京', '株式会社', '式会', '京', '株式会社東京']],
    ['东方快乐', ['快乐', '方快', '乐']],
    ['ประเทศไทย', ['ไทย', 'ประเทศ']],
    ['기말시험', ['시험', '말시', '기말시험', '시허']],
    ['お誕生日ケーキ2024年', ['誕生日', 'ケーキ', '2024', 'ｹｰｷ', '年', 'ケーキ2024']],
  ])('a search finds %s by each of %j', (text, searches) => {
    const words = searchWords(text);
    expect(searches.filter((search) => !isFound(words, search))).toEqual([]);
  });

  test.each([
    ['株式会社東京', '京東'],
    ['기말시험', '험시'],
    ['Kim', '김'],
    ['Müller', 'mulller'],
  ])('the text %s is not found by a search for %s', (text, search) => {
    expect(isFound(searchWords(text), search)).toBe(false);
  });

  test.each([
    ...[
      '+31201234567',
      '0201234567',
      '020 123 4567',
      '+31 20 1234567',
      '1234567',
      '123 4567',
      '020-1234567',
      '(020) 123 45 67',
    ],
    ...['0031 20 1234567', '+31 (0)20 123 4567', '31201', '02012', '4567', 'Ada 020 1234567', '123-4567 ada'],
  ])('a search for %s finds the contact Ada with the telephone number +31201234567', (search) => {
    const words = contactWords({ telephone: '+31201234567', ...{ name: 'Ada' } });
    expect(isFound(words, search)).toBe(true);
    expect(isFound(contactWords({ telephone: '+32478999999', ...{ name: 'Ada' } }), search)).toBe(false);
  });

  test('a search for groups of digits finds a text only if the text contains all of the groups', () => {
    const words = searchWords('invoice 2024-01-15', 'order 12345 67890');
    expect(isFound(words, '2024-01-15 invoice')).toBe(true);
    expect(isFound(words, 'order 12345 67890')).toBe(true);
    expect(isFound(words, 'order 12345 99999')).toBe(false);
  });
});

test('a search for a long text without spaces has one term with at most 16 prefixes', () => {
  const [only, ...others] = searchTerms('東京都庁'.repeat(60));
  expect(others).toEqual([]);
  expect(only?.[0]?.length).toBeLessThanOrEqual(16);
});
