import { isLongInteger, keepsDigits, plainDigits, endOfString } from '../../domain/json.ts';
import { invalidRequest } from '../../domain/errors.ts';

/** Where a number may be one that loses digits: 16 digits in a row, or an exponent. */
const LONG_NUMBER = /(?:^|[[:,\s])-?(?:\d{16}|\d[\d.]*[eE])/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const CHANGED = 'is a number that would lose digits: above 9007199254740991, send it as a text';

/**
 * Parses JSON. Throws DomainError `invalid_request`, with its path, for a number whose whole digits
 * would change (`9007199254740993`), and SyntaxError for what is no JSON.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_NUMBER.test(text)) return value;
  // No text that can be stored has a NUL character, so what is one in the copy is such a number.
  const marked = rewriteNumbers(text, (literal) => (losesDigits(literal) ? '"\\u0000"' : literal));
  const path = marked === text ? undefined : pathOfMark(JSON.parse(marked));
  if (path) throw invalidRequest(path.join('.') || 'body', CHANGED);
  return value;
}

/**
 * Parses JSON of a program that sends ids as numbers. A whole number above 2^53 - 1, and any other
 * whose whole digits would change, becomes the text of its digits. Throws SyntaxError for what is
 * no JSON.
 */
export function parseJsonWithLongIds(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_NUMBER.test(text)) return value;
  const exact = rewriteNumbers(text, (literal) => {
    if (!isLongInteger(literal) && keepsDigits(literal)) return literal;
    const digits = plainDigits(literal);
    return digits === null ? literal : `"${digits}"`;
  });
  return exact === text ? value : JSON.parse(exact);
}

// What is beyond all doubles is refused as such, whatever its digits.
function losesDigits(literal: string): boolean {
  return !keepsDigits(literal) && Number.isFinite(Number(literal));
}

/** Rewrites the numbers of a text that is JSON. */
function rewriteNumbers(text: string, rewrite: (literal: string) => string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') at = endOfString(text, at);
    else {
      NUMBER.lastIndex = at;
      const [literal] = NUMBER.exec(text) ?? [];
      if (literal === undefined) continue;
      parts.push(text.slice(kept, at), rewrite(literal));
      kept = at + literal.length;
      at = kept - 1;
    }
  }
  return `${parts.join('')}${text.slice(kept)}`;
}

function pathOfMark(value: unknown): (string | number)[] | undefined {
  if (value === '\0') return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const path = pathOfMark(member);
    if (path) return [key, ...path];
  }
  return undefined;
}
