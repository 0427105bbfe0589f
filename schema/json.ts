import { DomainError } from '../domain/errors.ts';
import { invalidRequest } from '../domain/refusal.ts';

const MAX_DEPTH = 100;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Reads a JSON body. Throws DomainError `invalid_json` for what is no JSON, and `invalid_request` for what JSON allows but no
 * record can hold: NUL characters, halves of surrogate pairs, numbers without bounds, more than 100 levels.
 */
export function parseJson(text: string): unknown {
  const value = parse(text);
  refuseUnstorable(value, { path: '', depth: 0 });
  return value;
}

/** A body of plain text as it was sent. Throws DomainError `invalid_request` where it holds a NUL character. */
export function storableText(text: string): string {
  refuseText(text, 'body');
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid_json', 'The body is not valid JSON.');
  }
}

function refuseUnstorable(value: unknown, { path, depth }: { path: string; depth: number }): void {
  if (typeof value === 'string') refuseText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidRequest(path, 'is out of range');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw invalidRequest('body', `must not nest deeper than ${MAX_DEPTH} levels`);
  for (const [key, member] of Object.entries(value)) {
    const inner = path === '' ? key : `${path}.${key}`;
    if (!Array.isArray(value)) refuseText(key, inner);
    refuseUnstorable(member, { path: inner, depth: depth + 1 });
  }
}

function refuseText(text: string, path: string): void {
  if (text.includes('\0')) throw invalidRequest(path, 'must not contain a NUL character');
  if (LONE_SURROGATE.test(text)) throw invalidRequest(path, 'must be well-formed Unicode');
}
