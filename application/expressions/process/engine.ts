import jsonata from 'jsonata';
import type { Expression, JsonataOptions } from 'jsonata';
import { LOOKUPS } from '../protocol.ts';
import type { LookupName } from '../protocol.ts';
import { serializeResult } from './result-text.ts';
import { assertExactNumbers, assertExactStep, numberFunctions } from './exact-numbers.ts';
import type { StepNode } from './exact-numbers.ts';
import { intlFunctions } from './intl-functions.ts';
import { STATIC_FUNCTIONS } from './static-functions.ts';
import { named, timeFunctions } from './times/time-functions.ts';
import { parseJsonWithLongIds } from '../../../domain/exact-json.ts';
import { jsonFault } from '../../../domain/json-fault.ts';
import { MAX_VALUES, assertJsonSize } from '../../../domain/json.ts';
import { RE2JS } from 're2js';

const MAX_KNOWN = 200;
const KNOWN_BYTES = 32 * 1024;

/** `filter` and the result are JSON. */
export type FindRecord = (name: LookupName, filter: string) => Promise<string | undefined>;

const OPTIONS = { RegexEngine } as unknown as JsonataOptions;

/** JSONata calls this function, under this name, after each step of an evaluation. */
const AFTER_STEP = Symbol.for('jsonata.__evaluate_exit') as unknown as string;

const afterStep = Object.freeze(
  (node: StepNode, _input: unknown, _environment: unknown, result: unknown): void => {
    assertExactStep(node, result);
    noteMissingValues(node, result);
  },
);

const incompleteObjects = new WeakSet<object>();

/** Notes objects of which JSONata left out a key, because its value is missing. */
function noteMissingValues({ type, value, lhs = [] }: StepNode, result: unknown): void {
  if (type !== 'unary' || value !== '{' || typeof result !== 'object' || result === null) return;
  const isMissing = lhs.some(
    ([key]) => key?.type === 'string' && typeof key.value === 'string' && !Object.hasOwn(result, key.value),
  );
  if (isMissing) incompleteObjects.add(result);
}

const parsedExpressions = new Map<string, Expression>();

export function parseExpression(text: string): Expression {
  const before = parsedExpressions.get(text);
  if (before) return before;
  const expression = jsonata(text, OPTIONS);
  assertExactNumbers(expression.ast(), text);
  expression.assign(AFTER_STEP, afterStep);
  if (text.length <= KNOWN_BYTES) remember(text, expression);
  return expression;
}

interface EvaluationData {
  body: string;
  /** JSON, the value of `$event`. */
  event?: string | undefined;
}

/** Returns JSON, or undefined for no result. Throws errors for `toFault`. */
export async function evaluate(
  text: string,
  { body, event }: EvaluationData,
  findRecord: FindRecord,
): Promise<string | undefined> {
  const bindings = {
    ...createFunctions(findRecord),
    ...(event === undefined ? {} : { event: JSON.parse(event) as unknown }),
  };
  return serializeResult(await parseExpression(text).evaluate(JSON.parse(body), bindings));
}

function createFunctions(findRecord: FindRecord): Record<string, unknown> {
  return {
    ...timeFunctions(),
    ...intlFunctions(),
    ...numberFunctions(),
    parseJson: (text: unknown) => named('parseJson', () => parseSentJson(text)),
    ...Object.fromEntries(LOOKUPS.map((name) => [name, createLookup(name, findRecord)])),
  };
}

const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set([
  ...STATIC_FUNCTIONS,
  'millis',
  ...Object.keys(createFunctions(() => Promise.resolve(undefined))),
]);

/** Throws errors for `toFault`, also for calls of unknown functions, which parse. */
export function checkExpression(text: string): void {
  assertKnownFunctions(parseExpression(text).ast(), KNOWN_FUNCTIONS);
}

/** Reads the text of a sender as data (spec 8.10). `$eval` would run it as an expression. */
function parseSentJson(text: unknown): unknown {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new Error('Only a text can be parsed.');
  try {
    assertJsonSize(text, MAX_VALUES);
    return parseJsonWithLongIds(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError))
      throw new Error('The text has too many levels or values.', { cause });
    const { line, column, reason } = jsonFault(text);
    const message = `The text is not JSON: at its line ${line}, column ${column}, ${reason}.`;
    throw new Error(message, { cause });
  }
}

/**
 * The function finds nothing if a value of the filter is missing or null: without this condition,
 * the first record of a stranger would match.
 */
function createLookup(name: LookupName, findRecord: FindRecord) {
  return async (filter: unknown): Promise<unknown> => {
    if (filter === undefined || lacksValue(filter)) return undefined;
    const record = await findRecord(name, serializeResult(filter) ?? '{}');
    return record === undefined ? undefined : (JSON.parse(record) as unknown);
  };
}

function lacksValue(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return false;
  return incompleteObjects.has(filter) || Object.values(filter).includes(null);
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

interface SyntaxNode {
  type?: unknown;
  value?: unknown;
  position?: unknown;
  lhs?: unknown;
  arguments?: unknown;
  procedure?: SyntaxNode;
  focus?: unknown;
  index?: unknown;
}

/**
 * Throws for a call of a function that is neither in `known` nor a variable of the expression.
 * Variables count in the whole expression, so a call outside of their block passes.
 */
function assertKnownFunctions(ast: unknown, known: ReadonlySet<string>): void {
  const calls: SyntaxNode[] = [];
  const variables = new Set<unknown>();
  for (const node of walk(ast)) {
    const { type, lhs, focus, index, procedure } = node;
    if (type === 'bind') variables.add((lhs as SyntaxNode).value);
    if (type === 'lambda') for (const { value } of node.arguments as SyntaxNode[]) variables.add(value);
    for (const name of [focus, index]) variables.add(name);
    if ((type === 'function' || type === 'partial') && procedure?.type === 'variable') calls.push(node);
  }
  const names = calls.map(({ procedure, position }) => ({ token: procedure?.value, position }));
  const unknown = names.find(({ token }) => !known.has(String(token)) && !variables.has(token));
  if (unknown) throw Object.assign(new Error('Unknown function'), { code: 'T1006', ...unknown });
}

function* walk(ast: unknown): Generator<SyntaxNode> {
  const seen = new Set<object>();
  const left: unknown[] = [ast];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    yield node;
    left.push(...(Object.values(node) as unknown[]).toReversed());
  }
}
