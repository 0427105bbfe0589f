const MARKS = /\p{M}+/gu;
/**
 * Letters that Unicode does not take for others with a mark, and what people type who do not have
 * them.
 */
const FOLDED: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe' };
/**
 * A pattern for the letters that words no longer have once they are in the form in which they are
 * searched.
 */
export const UNFOLDED = `[${Object.keys(FOLDED).join('')}]`;
const EVERY_UNFOLDED = new RegExp(UNFOLDED, 'g');
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const MAX_CHARACTERS = 64;
const MAX_WORDS = 2000;
const MAX_DEPTH = 10;

/**
 * The words of texts and numbers, also of those within lists and objects, in the form in which they
 * are searched: each once, whatever their case and accents (spec 5.10).
 */
export function searchWords(...values: unknown[]): string[] {
  const words = new Set<string>();
  for (const text of textsOf(values, 0)) {
    for (const word of normal(text).split(BETWEEN_WORDS)) {
      if (word !== '' && words.size < MAX_WORDS)
        words.add(Array.from(word).slice(0, MAX_CHARACTERS).join(''));
    }
  }
  return [...words];
}

function normal(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(EVERY_UNFOLDED, (letter) => FOLDED[letter] ?? letter);
}

function textsOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => textsOf(member, depth + 1));
}
