const MARKS = /\p{M}+/gu;
const FOLDED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe' },
  ...{ ı: 'i', þ: 'th', ð: 'd', ħ: 'h', ŧ: 't', ə: 'e' },
};
const EVERY_FOLDED = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');
const TWO_LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const EVERY_TWO_LETTERS = new RegExp(`[${Object.keys(TWO_LETTERS).join('')}]`, 'g');
/** Signs that people omit, as in O'Brien. */
const APOSTROPHES = /['’‘‛ʼʻʹ`´＇·]/g;
const BETWEEN_CHUNKS = /[^\p{L}\p{N}\p{M}'’‘‛ʼʻʹ`´＇·]+/u;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const MAX_CHARACTERS = 64;
const MAX_WORDS = 2000;
const MAX_DEPTH = 10;
/** Minimum digits to find a telephone by its end. */
const MIN_DIGITS = 4;

/** Returns distinct words without case and accents (spec 5.10). */
export function searchWords(...values: unknown[]): string[] {
  const words = new Set<string>();
  for (const text of collectTexts(values, 0)) {
    for (const chunk of text.split(BETWEEN_CHUNKS)) {
      const stored = expandReadings(chunk).flatMap(splitWords).flatMap(storedWords);
      for (const word of stored) {
        if (words.size === MAX_WORDS) return [...words];
        words.add(word);
      }
    }
  }
  return [...words];
}

export function contactWords(profile: { telephone?: string }): string[] {
  const digits = (profile.telephone ?? '').replace(/\D/g, '');
  const ends = Array.from({ length: Math.max(0, digits.length - MIN_DIGITS + 1) }, (_, at) =>
    digits.slice(at),
  );
  return [...new Set([...searchWords(profile), ...ends])];
}

interface SearchedFields {
  name?: string;
  forms: readonly { name: string; values: unknown }[];
}

export function conversationWords({ name, forms }: SearchedFields): string[] {
  const entered = forms.map((form) => [form.name, form.values]);
  return searchWords(name, entered);
}

/**
 * Returns every spelling: with apostrophes as spaces or omitted, and with letters such as ö folded
 * to one letter (o) or two (oe).
 */
export function expandReadings(chunk: string): string[] {
  const apart = chunk.replace(APOSTROPHES, ' ');
  const joined = chunk.replace(APOSTROPHES, '');
  return [...new Set([apart, joined].flatMap((text) => [foldText(text), foldText(withTwoLetters(text))]))];
}

export function splitChunks(text: string): string[] {
  return text.split(BETWEEN_CHUNKS).filter((chunk) => chunk.replace(APOSTROPHES, '') !== '');
}

/** Splits a text into words, also where unspaced scripts meet other scripts. */
export function splitWords(reading: string): string[] {
  return reading.split(BETWEEN_WORDS).flatMap((word) => word.match(RUNS) ?? []);
}

export function truncateWord(word: string): string {
  return Array.from(word).slice(0, MAX_CHARACTERS).join('');
}

function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(EVERY_FOLDED, (letter) => FOLDED[letter] ?? letter);
}

function withTwoLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(EVERY_TWO_LETTERS, (letter) => TWO_LETTERS[letter] ?? letter);
}

function collectTexts(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => collectTexts(member, depth + 1));
}
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const UNSPACED = SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('');
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/**
 * Splits a word of an unspaced script into character pairs and the last character, so that a search
 * finds any part of the word.
 */
function storedWords(word: string): string[] {
  if (!IS_UNSPACED.test(word)) return [truncateWord(word)];
  const characters = splitCharacters(word);
  return [...pairs(characters), decompose(characters.slice(-1))];
}

/** Returns character pairs, or the only character. Undefined for scripts with spaces. */
export function buildSearchPairs(word: string): string[] | undefined {
  if (!IS_UNSPACED.test(word)) return undefined;
  const characters = splitCharacters(word);
  return characters.length > 1 ? pairs(characters) : [word];
}

// Folding decomposes Hangul, so compose it again.
function splitCharacters(word: string): string[] {
  return Array.from(word.normalize('NFC'));
}

// An incomplete Hangul syllable is a prefix of the complete one.
function decompose(characters: readonly string[]): string {
  return characters.join('').normalize('NFD');
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((second, at) => decompose([characters[at] ?? '', second]));
}
