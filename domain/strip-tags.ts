import { isBlank } from './characters.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ shy: '\u00ad', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f' },
};
const ENTITY = new RegExp(`&(?:(${Object.keys(ENTITIES).join('|')})|#(\\d{1,7})|#x([\\da-f]{1,6}));`, 'gi');
/** Matches what shows something without text. */
const SEEN = /<(?:hr\b|img\b[^>]*\s(?:src|alt)\s*=)/i;

/** Returns the text of HTML for a preview or a search. */
export function stripTags(html: string): string {
  return html
    .replace(/<(?:style|script)\b[\s\S]*?<\/(?:style|script)>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(ENTITY, decodeEntity);
}

function decodeEntity(_: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? ' ';
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

const MAX_CHARACTERS = 200;

/** Returns the text of a message as one line of at most 200 characters. */
export function shortenText({ text, contentType }: { text: string; contentType?: string }): string {
  const words = contentType === 'text/html' ? stripTags(text) : text;
  // Longer texts are cut before they are split, so that the split is cheap.
  const line = words
    .slice(0, 8 * MAX_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : line;
}

export function isBlankHtml(html: string): boolean {
  return !SEEN.test(html) && isBlank(stripTags(html));
}
