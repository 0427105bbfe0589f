import { invalidRequest } from '../refusal.ts';
import type { Kind } from './paths.ts';
import { refusedAt } from './refuse.ts';
import type { Piece } from './values.ts';

const MOST_CHARACTERS = 256;
const NOT_TEXT: readonly unknown[] = ['number', 'boolean', 'time', 'object'];

/** What a pattern of the caller's asks for. Throws DomainError `invalid_request` for one that is too long or not understood. */
export function searchFor(
  { name, text, at }: Piece,
  { kind, ignoreCase }: { kind: Kind; ignoreCase: boolean },
): { pattern: string; ignoreCase: boolean } {
  if (NOT_TEXT.includes(kind)) throw invalidRequest(name, 'holds no text to search in');
  if (Array.from(text).length > MOST_CHARACTERS) {
    throw refusedAt(name, at + MOST_CHARACTERS, `a pattern has ${MOST_CHARACTERS} characters at most`);
  }
  if (!isPlain(text)) throw refusedAt(name, at, 'is not a pattern that is understood');
  return { pattern: text, ignoreCase };
}

const BACKTRACKING = /\\[1-9kAzZGKQEC]|\(\?|[+*?}]\+/;

function isPlain(pattern: string): boolean {
  if (BACKTRACKING.test(pattern)) return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
