import { DomainError, invalidRequest } from '../domain/errors.ts';
import { parseExactJson, parseJsonWithLongIds } from '../domain/exact-json.ts';
import { jsonFault } from '../domain/json-fault.ts';
import { MAX_VALUES, assertJsonSize } from '../domain/json.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;
/** Text that may hold an unstorable value. The lookbehind keeps the match linear. */
const SUSPICIOUS = /\\u|\d[eE]\+?\d{3}|(?<!\d)\d{309}/;

/**
 * Throws DomainError `invalid_json`, or `invalid_request` for NUL characters, lone surrogates,
 * numbers that are out of range or lose digits, over 100 levels or 40,000 values.
 */
export function parseJson(text: string): unknown {
  return parseBounded(text, parseExactJson);
}

/** Turns integers above 2^53 - 1 into texts, for senders with 64-bit ids (spec 8.7). */
export function parseEventJson(text: string): unknown {
  return parseBounded(text, parseJsonWithLongIds);
}

function parseBounded(text: string, read: (text: string) => unknown): unknown {
  assertJsonSize(text, MAX_VALUES);
  const value = parse(text, read);
  // `assertStorable` visits every value, which costs more than parsing.
  if (SUSPICIOUS.test(text) || LONE_SURROGATE.test(text)) assertStorable(value);
  return value;
}

export function assertStorable(value: unknown): void {
  const fault = findFault(value);
  if (fault) throw invalidRequest(fault.path.join('.'), fault.rule);
}

/** Throws DomainError `invalid_request` for a NUL character or a lone surrogate. */
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
