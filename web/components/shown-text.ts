import { isBlank } from '../../domain/characters.ts';

/** Largest length of a message's text (spec 6.1). */
export const MAX_CHARACTERS = 32_000;

const DIRECTION = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;
const OVERRIDES = /[\u202D\u202E]/g;

export function stripDirection(text: string): string {
  return text.replace(DIRECTION, '');
}

export function stripOverrides(text: string): string {
  return text.replace(OVERRIDES, '');
}

export function hasVisibleText(text: string): boolean {
  return !isBlank(text);
}

export function visibleName(author: { name?: string } | undefined): string | undefined {
  return author?.name !== undefined && hasVisibleText(author.name) ? stripDirection(author.name) : undefined;
}

/** `Dr.`, `Prof.` and `Mrs`. */
const TITLE = /^(?:\p{L}{2,5}\.|dr|prof|mrs?|ms|mx|ing|ir|sir)$/iu;
const LETTER = /[\p{L}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the initials of the first and the last name, or an empty text. Titles, and particles such
 * as `van`, have none. An initial is a whole character: an emoji, a flag, a letter with its accent.
 */
export function getInitials(name: string): string {
  const [whole = ''] = stripDirection(name).normalize('NFC').split('@');
  const words = whole.split(/\s+/).filter((word) => LETTER.test(word));
  const named = preferred(
    preferred(words, (word) => !TITLE.test(word)),
    (word) => !/^\p{Ll}/u.test(word),
  );
  return [...new Set([named[0], named.at(-1)])].map(getInitial).join('');
}

function preferred(words: string[], isPreferred: (word: string) => boolean): string[] {
  const found = words.filter(isPreferred);
  return found.length > 0 ? found : words;
}

function getInitial(word = ''): string {
  const all = Array.from(segmenter.segment(word), ({ segment }) => segment);
  const first = all.find((one) => LETTER.test(one)) ?? '';
  const upper = first.toLocaleUpperCase();
  // The capital of `ß` is two letters.
  return Array.from(segmenter.segment(upper)).length > 1 ? first : upper;
}
