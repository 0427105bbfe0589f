const MARKS = /\p{M}+/gu;
const FOLDED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe' },
  ...{ ı: 'i', þ: 'th', ð: 'd', ħ: 'h', ŧ: 't', ə: 'e', ς: 'σ' },
};
const EVERY_FOLDED = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
/** Members of a character class: scripts that are written without spaces. */
export const UNSPACED = SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Returns the text without case and accents. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(EVERY_FOLDED, (letter) => FOLDED[letter] ?? letter);
}

/** Returns whether the word is of a script without spaces, so that any part of it is found. */
export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word);
}
