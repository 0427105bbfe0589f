import { invalidRequest } from '../refusal.ts';
import type { Kind } from './tree.ts';
import { isAmbiguous } from './pattern/ambiguity.ts';
import { readPattern } from './pattern/read.ts';
import { writePattern } from './pattern/write.ts';
import { refusedAt } from './refuse.ts';
import type { Piece } from './values.ts';

const MAX_CHARACTERS = 256;
const NOT_TEXT: readonly unknown[] = ['number', 'boolean', 'time', 'object'];

/**
 * What a pattern in RE2's syntax asks for, in words that mean the same to every engine
 * (docs/decisions/query-patterns.md). Throws DomainError `invalid_request` for one that is too
 * long, not understood, or could take an engine exponential time.
 */
export function searchFor(
  { name, text, at }: Piece,
  { kind, ignoreCase }: { kind: Kind; ignoreCase: boolean },
): { pattern: string; ignoreCase: boolean } {
  if (NOT_TEXT.includes(kind)) throw invalidRequest(name, 'holds no text to search in');
  if (Array.from(text).length > MAX_CHARACTERS) {
    throw refusedAt(name, at + MAX_CHARACTERS, `a pattern has ${MAX_CHARACTERS} characters at most`);
  }
  const refuse = (where: number, rule: string) =>
    refusedAt(name, at + where, `not a pattern of RE2: ${rule}`);
  const pattern = readPattern(text, { ignoreCase, refuse });
  if (isAmbiguous(pattern)) {
    throw refusedAt(name, at, 'the pattern repeats what can be read in more than one way, as in "(a+)+"');
  }
  return { pattern: writePattern(pattern, ignoreCase), ignoreCase };
}
