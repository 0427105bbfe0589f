import jsonata from 'jsonata';
import type { Expression, JsonataOptions } from 'jsonata';
import { LOOKUPS } from '../protocol.ts';
import type { LookupName } from '../protocol.ts';
import { RegexEngine } from './regex.ts';
import { resultText } from './result-text.ts';
import { timeFunctions } from './times/time-functions.ts';

const MAX_KNOWN = 200;
const KNOWN_BYTES = 32 * 1024;

/** Asks for a record by a filter that is JSON; resolves with its JSON, or nothing. */
export type Look = (name: LookupName, filter: string) => Promise<string | undefined>;

const OPTIONS = { RegexEngine } as unknown as JsonataOptions;

const known = new Map<string, Expression>();

/** Reads an expression. Throws what JSONata throws. */
export function read(text: string): Expression {
  const before = known.get(text);
  if (before) return before;
  const expression = jsonata(text, OPTIONS);
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
