import { isBlank } from '../../domain/characters.ts';
import { shortenText } from '../../domain/strip-tags.ts';
import type { ChatMessage } from './types.ts';

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

const TITLE =
  /^(?:\p{L}{2,5}\.|(?:\p{L}\.){2,}|dr|prof|mrs?|ms|mx|ing|ir|sir|jr|sr|i{2,3}|iv|phd|md|gmbh|ag|kg|ltd|llc|inc|plc|corp|bv|nv|sarl|sas|spa|srl|oy|ab|pty)$/iu;
const LETTER = /[\p{L}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the initials of the first and the last name, or an empty text. Titles, legal forms and
 * particles such as `van` have none. An initial is a whole character: an emoji, a flag, a letter
 * with its accent.
 */
export function getInitials(name: string): string {
  const words = splitName(name).filter((word) => LETTER.test(word));
  const named = preferred(
    preferred(words, (word) => !TITLE.test(word)),
    (word) => !/^\p{Ll}/u.test(word),
  );
  return [...new Set([named[0], named.at(-1)])].map(getInitial).join('');
}

/** `Lovelace, Ada`, `ada.lovelace@example.com`, `Ada <a@b.c>`, `Visitor, 02:05 PM` */
function splitName(name: string): string[] {
  const written = stripDirection(name)
    .normalize('NFC')
    .replace(/, \d{1,2}:\d{2}.*$/, '')
    .trim();
  const [whole = ''] = (written.replace(/\s*<[^>]*>$/, '') || written.replace(/^</, '')).split('@');
  if (/^[^\s@]+@/.test(written)) return whole.split(/[._\-+]+/);
  const [, family, given] = /^(\S+), ([^,&]+)$/.exec(whole) ?? [];
  return (family === undefined ? whole : `${given} ${family}`).split(/\s+/);
}

function preferred(words: string[], isPreferred: (word: string) => boolean): string[] {
  const found = words.filter(isPreferred);
  return found.length > 0 ? found : words;
}

function getInitial(word = ''): string {
  const all = Array.from(segmenter.segment(word), ({ segment }) => segment);
  const first = all.find((one) => LETTER.test(one)) ?? '';
  const upper = first.toLocaleUpperCase();
  // The capital of `ß` is two letters, and few fonts have the capitals of Georgian.
  const isOdd = Array.from(segmenter.segment(upper)).length > 1 || /\p{Script=Georgian}/u.test(first);
  return isOdd ? first : upper;
}

interface Words {
  picture: string;
  file: string;
}

/** Returns undefined for a message without visible parts. */
export function summarizeNews(
  { text, contentType = 'text/plain', media, items = [], actions = [] }: ChatMessage,
  words: Words,
): string | undefined {
  if ((media?.type ?? contentType).startsWith('image/')) return words.picture;
  if (media) return stripDirection(media.name);
  if (contentType === 'application/pdf') return words.file;
  const labels = items.flatMap(({ title, description = '' }) => [title, description]);
  const line = shortenText({ text, contentType });
  const shown = [line, ...labels, ...actions.map((action) => action.text)].find(hasVisibleText);
  if (shown !== undefined) return stripDirection(shown);
  return /<img\b/i.test(text) && contentType === 'text/html' ? words.picture : undefined;
}
