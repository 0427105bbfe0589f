import jsonata from 'jsonata';
import type { Expression, JsonataOptions } from 'jsonata';
import { LOOKUPS } from '../protocol.ts';
import type { LookupName } from '../protocol.ts';
import { RegexEngine } from './regex.ts';
import { resultText } from './result-text.ts';
import { timeFunctions } from './times/time-functions.ts';

const MAX_KNOWN = 200;
const KNOWN_BYTES = 32 * 1024;
/** More digits than the largest number has are refused by JSONata. */
const MAX_DIGITS = 310;

/** Finds a record by a filter that is JSON. Resolves with its JSON, or undefined. */
export type Look = (name: LookupName, filter: string) => Promise<string | undefined>;

const OPTIONS = { RegexEngine } as unknown as JsonataOptions;

const known = new Map<string, Expression>();

/** Parses an expression. Throws JSONata's errors, and for a number that would lose digits. */
export function read(text: string): Expression {
  const before = known.get(text);
  if (before) return before;
  const expression = jsonata(text, OPTIONS);
  assertExactNumbers(expression.ast(), text);
  if (text.length <= KNOWN_BYTES) remember(text, expression);
  return expression;
}

/**
 * The result of an expression as JSON; undefined if it gives nothing. Throws what JSONata throws,
 * and faults of our own.
 */
export async function evaluate(text: string, body: string, look: Look): Promise<string | undefined> {
  const lookups = Object.fromEntries(LOOKUPS.map((name) => [name, lookup(name, look)]));
  const bindings = { ...timeFunctions(), ...lookups };
  return resultText(await read(text).evaluate(JSON.parse(body), bindings));
}

/** JSONata parses `9007199254740993` as 9007199254740992: an order's id with a wrong digit. */
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

/** `position` is the end of the number. */
function assertExact(text: string, position: number): void {
  const [digits] = /(?<![\w.])\d+$/.exec(text.slice(Math.max(0, position - MAX_DIGITS), position)) ?? [];
  if (digits === undefined || BigInt(digits) === BigInt(Number(digits))) return;
  const message = `The number ${digits} would lose digits: write it as a text, "${digits}".`;
  throw Object.assign(new Error(message), { code: 'S0102', position, token: digits });
}

function lookup(name: LookupName, look: Look) {
  return async (filter: unknown): Promise<unknown> => {
    if (filter === undefined) return undefined;
    const record = await look(name, resultText(filter) ?? '{}');
    return record === undefined ? undefined : (JSON.parse(record) as unknown);
  };
}

function remember(text: string, expression: Expression): void {
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(text, expression);
}
