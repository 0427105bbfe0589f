import jsonata from 'jsonata';
import type { Expression, JsonataOptions } from 'jsonata';
import { LOOKUPS } from '../protocol.ts';
import type { LookupName } from '../protocol.ts';
import { RegexEngine } from './regex.ts';
import { serializeResult } from './result-text.ts';
import { timeFunctions } from './times/time-functions.ts';

const MAX_KNOWN = 200;
const KNOWN_BYTES = 32 * 1024;
/** More digits than the largest number has are refused by JSONata. */
const MAX_DIGITS = 310;

/** Finds a record by a filter that is JSON. Resolves with its JSON, or undefined. */
export type FindRecord = (name: LookupName, filter: string) => Promise<string | undefined>;

const OPTIONS = { RegexEngine } as unknown as JsonataOptions;

const parsedExpressions = new Map<string, Expression>();

/** Parses an expression. Throws JSONata's errors, and for a number that would lose digits. */
export function parseExpression(text: string): Expression {
  const before = parsedExpressions.get(text);
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
export async function evaluate(
  text: string,
  body: string,
  findRecord: FindRecord,
): Promise<string | undefined> {
  const lookups = Object.fromEntries(LOOKUPS.map((name) => [name, createLookup(name, findRecord)]));
  const bindings = { ...timeFunctions(), ...lookups };
  return serializeResult(await parseExpression(text).evaluate(JSON.parse(body), bindings));
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
