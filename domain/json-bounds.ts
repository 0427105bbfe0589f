import { invalidRequest } from './refusal.ts';

/** Levels of objects and arrays in a body. */
const MAX_DEPTH = 100;

const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map(characterCode) as [number, number, number];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = ['[', ']', '{', '}'].map(characterCode) as [
  number,
  number,
  number,
  number,
];

/**
 * Throws DomainError `invalid_request` for a text that would be, as JSON, more than 100 levels or
 * `max` values. It is read for its brackets and commas alone, so that what is refused costs less
 * than parsing it; whether it is JSON at all is not looked at.
 */
export function assertJsonSize(text: string, max: number): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw invalidRequest('body', `must not nest deeper than ${MAX_DEPTH} levels`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (values > max) {
      throw invalidRequest('body', `must not hold more than ${max.toLocaleString('en')} values`);
    }
  }
}

/** Returns where the string ends that begins at a quotation mark: at the other one. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes escape each other.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

function characterCode(character: string): number {
  return character.charCodeAt(0);
}
