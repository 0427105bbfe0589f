/** Scripts whose words stand without blanks between them. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const UNSPACED = SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('');
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Splits a word where scripts with and without blanks between words meet. */
export function splitRuns(word: string): string[] {
  return word.match(RUNS) ?? [];
}

/**
 * Returns the pairs of characters of a word without blanks, and its last character alone, so that
 * every part of it begins one of them. Undefined for words of other scripts.
 */
export function buildPairs(word: string): string[] | undefined {
  if (!IS_UNSPACED.test(word)) return undefined;
  const characters = splitCharacters(word);
  return [...pairs(characters), decompose(characters.slice(-1))];
}

/** Returns the pairs of a searched part of such a word; a single character stays alone. */
export function buildSearchPairs(word: string): string[] | undefined {
  if (!IS_UNSPACED.test(word)) return undefined;
  const characters = splitCharacters(word);
  return characters.length > 1 ? pairs(characters) : [word];
}

// Folding takes syllables of Hangul apart.
function splitCharacters(word: string): string[] {
  return Array.from(word.normalize('NFC'));
}

// A syllable that is not finished yet begins the finished one.
function decompose(characters: readonly string[]): string {
  return characters.join('').normalize('NFD');
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((second, at) => decompose([characters[at] ?? '', second]));
}
