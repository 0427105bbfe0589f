import jsonata from 'jsonata';
import type { Expression, JsonataOptions } from 'jsonata';
import { LOOKUPS } from '../protocol.ts';
import type { LookupName } from '../protocol.ts';
import { serializeResult } from './result-text.ts';
import { timeFunctions } from './times/time-functions.ts';
import { RE2JS } from 're2js';

const MAX_KNOWN = 200;
const KNOWN_BYTES = 32 * 1024;
/** JSONata rejects longer numbers. */
const MAX_DIGITS = 310;

/** `filter` and the result are JSON. */
export type FindRecord = (name: LookupName, filter: string) => Promise<string | undefined>;

const OPTIONS = { RegexEngine } as unknown as JsonataOptions;

const parsedExpressions = new Map<string, Expression>();

export function parseExpression(text: string): Expression {
  const before = parsedExpressions.get(text);
  if (before) return before;
  const expression = jsonata(text, OPTIONS);
  assertExactNumbers(expression.ast(), text);
  if (text.length <= KNOWN_BYTES) remember(text, expression);
  return expression;
}

/** Returns JSON, or undefined for no result. Throws errors for `toFault`. */
export async function evaluate(
  text: string,
  body: string,
  findRecord: FindRecord,
): Promise<string | undefined> {
  const lookups = Object.fromEntries(LOOKUPS.map((name) => [name, createLookup(name, findRecord)]));
  const bindings = { ...timeFunctions(), ...lookups };
  return serializeResult(await parseExpression(text).evaluate(JSON.parse(body), bindings));
}

/** Throws for inexact integers: JSONata reads the id `9007199254740993` as 9007199254740992. */
function assertExactNumbers(ast: unknown, text: string): void {
  const seen = new Set<object>();
  const left: unknown[] = [ast];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    const { type, position } = node as { type?: unknown; position?: unknown };
    if (type === 'number' && typeof position === 'number') assertExact(text, position);
    for (const member of Object.values(node)) left.push(member);
  }
}

function assertExact(text: string, position: number): void {
  const [digits] = /(?<![\w.])\d+$/.exec(text.slice(Math.max(0, position - MAX_DIGITS), position)) ?? [];
  if (digits === undefined || BigInt(digits) === BigInt(Number(digits))) return;
  const message = `The number ${digits} would lose digits: write it as a text, "${digits}".`;
  throw Object.assign(new Error(message), { code: 'S0102', position, token: digits });
}

function createLookup(name: LookupName, findRecord: FindRecord) {
  return async (filter: unknown): Promise<unknown> => {
    if (filter === undefined) return undefined;
    const record = await findRecord(name, serializeResult(filter) ?? '{}');
    return record === undefined ? undefined : (JSON.parse(record) as unknown);
  };
}

function remember(text: string, expression: Expression): void {
  const [oldest] = parsedExpressions.keys();
  if (parsedExpressions.size >= MAX_KNOWN && oldest !== undefined) parsedExpressions.delete(oldest);
  parsedExpressions.set(text, expression);
}

interface Engine {
  lastIndex: number;
  exec: (text: string) => RegExpExecArray | null;
}

const compiled = new WeakMap<RegExp, RE2JS>();

/** Returns a linear-time engine (RE2) for a pattern. Throws a fault for syntax that RE2 lacks. */
export function RegexEngine(pattern: RegExp): Engine {
  const expression = compile(pattern);
  return {
    lastIndex: 0,
    exec(text) {
      if (this.lastIndex > text.length) return null;
      const matcher = expression.matcher(text);
      if (!matcher.find(this.lastIndex)) return null;
      this.lastIndex = matcher.end();
      const groups = Array.from(
        { length: matcher.groupCount() + 1 },
        (_, at) => matcher.group(at) ?? undefined,
      );
      return Object.assign(groups, { index: matcher.start() }) as RegExpExecArray;
    },
  };
}

function compile(pattern: RegExp): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const fresh = compileFresh(pattern);
  compiled.set(pattern, fresh);
  return fresh;
}

function compileFresh({ source, ignoreCase, multiline }: RegExp): RE2JS {
  const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch (error) {
    const message = `The regular expression /${source}/ is not RE2 syntax: ${(error as Error).message}`;
    throw Object.assign(new Error(message), { code: 'regular_expression', token: `/${source}/` });
  }
}
