import { isLongInteger, keepsDigits, plainDigits, endOfString } from './json.ts';
import { invalidRequest } from './errors.ts';

/** Matches numbers that may lose digits. */
const LONG_NUMBER = /(?:^|[[:,\s])-?(?:\d{16}|\d[\d.]*[eE])/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const CHANGED = 'is a number that would lose digits: above 9007199254740991, send it as a text';

/** Throws DomainError `invalid_request` for inexact integers, SyntaxError for invalid JSON. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_NUMBER.test(text)) return value;
  // Storable texts have no NUL character, so NUL can mark numbers that lose digits.
  const marked = rewriteNumbers(text, (literal) => (losesDigits(literal) ? '"\\u0000"' : literal));
  const path = marked === text ? undefined : pathOfMark(JSON.parse(marked));
  if (path) throw invalidRequest(path.join('.') || 'body', CHANGED);
  return value;
}

/**
 * Parses JSON. Integers above 2^53 - 1, and numbers that would lose whole digits, become texts.
 * Throws SyntaxError.
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

// Infinite doubles have a separate error.
function losesDigits(literal: string): boolean {
  return !keepsDigits(literal) && Number.isFinite(Number(literal));
}

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
