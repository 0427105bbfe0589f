import { DomainError, invalidRequest } from '../domain/errors.ts';
import { assertJsonSize } from '../domain/json.ts';
import { parseExactJson, parseJsonWithLongIds } from './exact-json.ts';

/** 1 MiB of ids in lists has fewer values. */
export const MAX_VALUES = 40_000;

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
interface JsonFault {
  line: number;
  column: number;
  reason: string;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORD = /[^\s,:{}[\]"]+/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  key: 'a field name in double quotes',
  'key or }': 'a field name in double quotes or "}"',
  colon: '":"',
  'comma or end': '"," or the end',
};

/** Locates the first fault in invalid JSON, in one pass and without recursion. */
export function jsonFault(text: string): JsonFault {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: Expected = 'value';
  for (;;) {
    at += lengthAt(SPACE, text, at);
    if (at >= text.length) return faultAt(text, at, `it ends where ${wordsFor(expected, open)} should come`);
    const step = stepAt(text, { at, expected, open });
    if (typeof step === 'string') return faultAt(text, at, step);
    ({ at, expected } = step);
    if (expected === 'comma or end' && open.length === 0) {
      at += lengthAt(SPACE, text, at);
      return faultAt(text, at, 'something stands behind its end');
    }
  }
}

interface Reading {
  at: number;
  expected: Expected;
  open: ('{' | '[')[];
}

/** Returns a reason if the token is unexpected. */
function stepAt(text: string, { at, expected, open }: Reading): Omit<Reading, 'open'> | string {
  const character = text[at] ?? '';
  if (expected === 'comma or end') {
    const inner = open.at(-1);
    if (character === ',') return { at: at + 1, expected: inner === '{' ? 'key' : 'value' };
    if (character !== (inner === '{' ? '}' : ']')) return `${wordsFor(expected, open)} should come here`;
    open.pop();
    return { at: at + 1, expected };
  }
  if (expected === 'colon')
    return character === ':' ? { at: at + 1, expected: 'value' } : '":" should come here';
  if ((expected === 'key or }' && character === '}') || (expected === 'value or ]' && character === ']')) {
    open.pop();
    return { at: at + 1, expected: 'comma or end' };
  }
  const isKey = expected.startsWith('key');
  const string = stringLengthAt(text, at);
  if (string > 0) return { at: at + string, expected: isKey ? 'colon' : 'comma or end' };
  if (isKey || character === '"') return reasonAt(text, at, expected);
  if (character === '{' || character === '[') {
    open.push(character);
    return { at: at + 1, expected: character === '{' ? 'key or }' : 'value or ]' };
  }
  const scalar = lengthAt(SCALAR, text, at);
  const whole = lengthAt(WORD, text, at);
  return scalar > 0 && scalar === whole
    ? { at: at + scalar, expected: 'comma or end' }
    : reasonAt(text, at, expected);
}

function reasonAt(text: string, at: number, expected: Expected): string {
  const character = text[at] ?? '';
  if (character === '"') return 'a text in double quotes does not end, or holds a line break or a bad "\\"';
  if (character === "'") return "texts stand in double quotes, not in '";
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return 'JSON has no comments';
  if (character === '}' || character === ']') return `a "," too many stands before this "${character}"`;
  return `${WORDS[expected]} should come here`;
}

function wordsFor(expected: Expected, open: readonly string[]): string {
  const inner = open.at(-1);
  if (expected !== 'comma or end' || inner === undefined) return WORDS[expected];
  return inner === '{' ? '"," or "}"' : '"," or "]"';
}

/** Returns 0 for an invalid string. A regular expression would backtrack. */
function stringLengthAt(text: string, begin: number): number {
  if (text[begin] !== '"') return 0;
  for (let at = begin + 1; at < text.length;) {
    const character = text.charAt(at);
    if (character === '"') return at + 1 - begin;
    const length = character === '\\' ? lengthAt(ESCAPE, text, at) : Number(character >= ' ');
    if (length === 0) return 0;
    at += length;
  }
  return 0;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function faultAt(text: string, at: number, reason: string): JsonFault {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1, reason };
}
