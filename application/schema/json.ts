import { DomainError } from '../../domain/errors.ts';
import { assertJsonSize } from '../../domain/json-bounds.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { parseExactJson, parseJsonWithLongIds } from './exact-json.ts';
import { jsonFault } from './json-position.ts';

/** Values in a body, at all levels: 1 MiB of ids in lists has fewer. */
export const MAX_VALUES = 40_000;

const LONE_SURROGATE = /\p{Surrogate}/u;
/**
 * What a JSON text has where a value may be one that no record can hold: an escape by code, an
 * exponent of three digits, more digits than any number. Each run of digits is read once.
 */
const SUSPICIOUS = /\\u|\d[eE]\+?\d{3}|(?<!\d)\d{309}/;

/**
 * Reads a JSON body. Throws DomainError `invalid_json` for what is no JSON, and `invalid_request`
 * for what JSON allows but no record can hold: NUL characters, halves of surrogate pairs, numbers
 * without bounds or whose digits would change, more than 100 levels, more than 40,000 values.
 */
export function parseJson(text: string): unknown {
  return parseBounded(text, parseExactJson);
}

/**
 * Reads the JSON of a business event as `parseJson` does, but for whole numbers above 2^53 - 1:
 * they become texts of their digits (spec 8.7). Senders count in 64 bits and cannot be changed.
 */
export function parseEventJson(text: string): unknown {
  return parseBounded(text, parseJsonWithLongIds);
}

function parseBounded(text: string, read: (text: string) => unknown): unknown {
  assertJsonSize(text, MAX_VALUES);
  const value = parse(text, read);
  // Most texts have nothing to look for; a walk over 40,000 values costs more than parsing them.
  if (SUSPICIOUS.test(text) || LONE_SURROGATE.test(text)) assertStorable(value);
  return value;
}

/**
 * Throws DomainError `invalid_request` for a value read from JSON that holds what no record can
 * hold.
 */
export function assertStorable(value: unknown): void {
  const fault = findFault(value);
  if (fault) throw invalidRequest(fault.path.join('.'), fault.rule);
}

/**
 * A body of plain text as it was sent. Throws DomainError `invalid_request` where it holds a NUL
 * character.
 */
export function requireStorableText(text: string): string {
  const rule = findBrokenRule(text);
  if (rule) throw invalidRequest('body', rule);
  return text;
}

function parse(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column, reason } = jsonFault(text);
    const where = `line ${line}, column ${column}`;
    throw new DomainError('invalid_json', `The body is not valid JSON: at ${where}, ${reason}.`);
  }
}

interface Fault {
  path: (string | number)[];
  rule: string;
}

/**
 * The first thing in a value that cannot be stored. The way to it is put together only where there
 * is one: most bodies have none.
 */
function findFault(value: unknown): Fault | undefined {
  const rule = findBrokenRule(value);
  if (rule) return { path: [], rule };
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? findListFault(value) : findObjectFault(value as Record<string, unknown>);
}

function findListFault(list: unknown[]): Fault | undefined {
  for (let at = 0; at < list.length; at += 1) {
    const fault = findFault(list[at]);
    if (fault) return { ...fault, path: [at, ...fault.path] };
  }
  return undefined;
}

function findObjectFault(object: Record<string, unknown>): Fault | undefined {
  for (const key of Object.keys(object)) {
    const rule = findBrokenRule(key);
    const fault = rule ? { path: [], rule } : findFault(object[key]);
    if (fault) return { ...fault, path: [key, ...fault.path] };
  }
  return undefined;
}

function findBrokenRule(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'must not contain a NUL character';
    return LONE_SURROGATE.test(value) ? 'must be well-formed Unicode' : undefined;
  }
  return typeof value === 'number' && !Number.isFinite(value) ? 'is out of range' : undefined;
}
