import { BSONRegExp } from 'bson';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isTruthy } from '../bson/value.ts';
import { badValue, StoreError, notSupported } from '../errors.ts';
import type { Relation, ValueTest } from './compare.ts';
import { equalityTest, orderTest } from './compare.ts';
import type { Path } from './path.ts';
import { someAtPath } from './path.ts';
import { RE2JS } from 're2js';

/** Limit of pattern size times text length: about a tenth of a second. */
const MAX_STEPS = 2_000_000;

/** A lookup in an index. A condition has no bound if an index cannot help. */
export type IndexBound =
  | { kind: 'equal'; values: readonly Value[] }
  | { kind: 'range'; relation: Relation; value: Value }
  | { kind: 'prefix'; text: string }
  | { kind: 'exists' };

/**
 * `elements`: an array also passes when one of its elements passes. `negated`: no value may pass.
 */
export interface FieldCondition {
  test: ValueTest;
  elements: boolean;
  negated: boolean;
  /** Conditions that must all hold, instead of `test`. */
  all?: readonly FieldCondition[];
  bound?: IndexBound;
  /** The condition as written, for partial indexes and upserts. */
  source?: { operator: string; operand: Value };
}

export function matchesCondition(condition: FieldCondition, doc: Doc, path: Path): boolean {
  const { test, elements, negated, all } = condition;
  if (all) return all.every((one) => matchesCondition(one, doc, path)) !== negated;
  const found = someAtPath(doc, {
    path,
    test: (value) =>
      test(value) || (elements && Array.isArray(value) && value.some((element) => test(element))),
  });
  return found !== negated;
}

/** Tests a value without a path, as in `$elemMatch: { $gt: 5 }` and `$pull`. */
export function valueMatches(condition: FieldCondition, value: Value | undefined): boolean {
  const { test, elements, negated, all } = condition;
  if (all) return all.every((one) => valueMatches(one, value)) !== negated;
  const found = test(value) || (elements && Array.isArray(value) && value.some((element) => test(element)));
  return found !== negated;
}

/** Returns the condition without its special case for elements of arrays. */
export function scalarOnly(condition: FieldCondition): FieldCondition {
  const all = condition.all?.map(scalarOnly);
  return { ...condition, elements: false, ...(all ? { all } : {}) };
}

export function equality(value: Value): FieldCondition {
  return {
    test: equalityTest(value),
    elements: true,
    negated: false,
    source: { operator: '$eq', operand: value },
    ...(Array.isArray(value) ? {} : { bound: { kind: 'equal', values: [value] } as const }),
  };
}

export type Compile = (operand: Value, siblings: Doc) => FieldCondition;

function comparison(relation: Relation): Compile {
  return (operand) => {
    if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate over field.`);
    return {
      test: orderTest(relation, operand),
      elements: true,
      negated: false,
      source: { operator: relation, operand },
      ...(Array.isArray(operand) ? {} : { bound: { kind: 'range', relation, value: operand } as const }),
    };
  };
}

function parseList(operator: string, operand: Value): Value[] {
  if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`);
  return operand;
}

function inList(operator: string, operand: Value): FieldCondition {
  const values = parseList(operator, operand);
  if (values.some((value) => isDoc(value) && [...value.keys()][0]?.startsWith('$'))) {
    throw badValue(`cannot nest $ under ${operator}`);
  }
  const tests = values.map((value) =>
    value instanceof BSONRegExp ? compileRegex(value) : equalityTest(value),
  );
  const test: ValueTest = (value) => tests.some((one) => one(value));
  const plain = !values.some((value) => value instanceof BSONRegExp || Array.isArray(value));
  const bound = plain ? { bound: { kind: 'equal', values } as const } : {};
  return { test, elements: true, negated: false, source: { operator: '$in', operand }, ...bound };
}

export function negate({ test, elements, negated, all }: FieldCondition): FieldCondition {
  return { test, elements, negated: !negated, ...(all ? { all } : {}) };
}

export function notEvery(conditions: readonly FieldCondition[]): FieldCondition {
  const [first, second] = conditions;
  if (first && !second) return negate(first);
  return { test: () => false, elements: false, negated: true, all: conditions };
}

function exists(operand: Value): FieldCondition {
  const wanted = isTruthy(operand);
  const condition: FieldCondition = {
    test: (value) => value !== undefined,
    elements: false,
    negated: !wanted,
  };
  return wanted
    ? { ...condition, bound: { kind: 'exists' }, source: { operator: '$exists', operand: true } }
    : condition;
}

const OPERATORS: Record<string, Compile> = {
  $eq: (operand) => (operand instanceof BSONRegExp ? { ...equality(operand) } : equality(operand)),
  $ne: (operand) => {
    if (operand instanceof BSONRegExp) throw badValue(`Can't have regex as arg to $ne.`);
    return negate(equality(operand));
  },
  $gt: comparison('$gt'),
  $gte: comparison('$gte'),
  $lt: comparison('$lt'),
  $lte: comparison('$lte'),
  $in: (operand) => inList('$in', operand),
  $nin: (operand) => negate(inList('$nin', operand)),
  $exists: exists,
  $regex: (operand, siblings) => {
    const pattern = regexOperand(operand, siblings.get('$options'));
    const prefix = literalPrefix(pattern);
    const bound = prefix === undefined ? {} : { bound: { kind: 'prefix', text: prefix } as const };
    return { test: compileRegex(pattern), elements: true, negated: false, ...bound };
  },
};

function regexOperand(operand: Value, options: Value | undefined): BSONRegExp {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  checkOptions(options ?? '');
  if (operand instanceof BSONRegExp) {
    if (options && operand.options) throw badValue('options set in both $regex and $options');
    return new BSONRegExp(operand.pattern, options ?? operand.options);
  }
  if (typeof operand !== 'string') throw badValue('$regex has to be a string');
  return new BSONRegExp(operand, options ?? '');
}

export function plainOperator(name: string): Compile | undefined {
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
}

type TextTest = (text: string) => boolean;

/**
 * Uses RE2, except for plain text. RE2 never backtracks, so a stranger's pattern cannot stall the
 * store. Throws 238 for PCRE features that RE2 lacks.
 */
function compileRegex(regex: BSONRegExp): (value: Value | undefined) => boolean {
  checkOptions(regex.options);
  const test = literalTest(regex) ?? linearTest(regex);
  return (value) => {
    if (typeof value === 'string') return test(value);
    return value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options;
  };
}

function checkOptions(options: string): void {
  for (const option of options) {
    if (!'imsux'.includes(option)) throw badValue(`invalid flag in regex options: ${option}`);
  }
}

/**
 * Uses a JavaScript pattern for plain text: it cannot backtrack and is many times faster than RE2.
 */
function literalTest({ pattern, options }: BSONRegExp): TextTest | undefined {
  if (!/^\^?(?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9\s])*\$?$/.test(pattern) || /[mx]/.test(options))
    return undefined;
  const plain = pattern.replace(/\\([^$()*+./?[\\\]^{|}])/g, '$1');
  const compiled = new RegExp(plain, options.includes('i') ? 'iu' : 'u');
  return (text) => compiled.test(text);
}

function linearTest(regex: BSONRegExp): TextTest {
  const compiled = compileLinear(regex);
  const longest = Math.floor(MAX_STEPS / compiled.programSize());
  return (text) => {
    if (text.length <= longest) return compiled.test(text);
    throw new StoreError(
      'Location51156',
      `Error occurred while executing the regular expression: a text of ${text.length} characters is too long for it, it can search ${longest}`,
    );
  };
}

function compileLinear({ pattern, options }: BSONRegExp): RE2JS {
  const flags =
    (options.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (options.includes('m') ? RE2JS.MULTILINE : 0) |
    (options.includes('s') ? RE2JS.DOTALL : 0);
  const source = options.includes('x') ? withoutBlanks(pattern) : pattern;
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    if (isOnlyPerl(source)) throw notSupported('this Perl syntax in a regular expression');
    throw new StoreError('Location51091', `Regular expression is invalid: ${String(error)}`);
  }
}

function isOnlyPerl(source: string): boolean {
  if (/\(\?[>#&|R(+-]|\(\*|\\[ZGKXRNghk]|[*+?}]\+/.test(source)) return true;
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
}

function withoutBlanks(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\s+|#.*/g, (part) => (/^(\s|#)/.test(part) ? '' : part));
}

/** Returns the text that begins every match of `^literal`, for a prefix search in an index. */
function literalPrefix(regex: BSONRegExp): string | undefined {
  if (regex.options !== '' && regex.options !== 's') return undefined;
  const match = /^\^((?:[A-Za-z0-9 _:@/,;<>=!"'%&~`-]|\\[^A-Za-z0-9])+)(.?)/.exec(regex.pattern);
  if (!match?.[1] || regex.pattern.includes('|')) return undefined;
  const text = match[1].replace(/\\(.)/g, '$1');
  const repeated = match[2] !== undefined && '?*{'.includes(match[2]) && match[2] !== '';
  return repeated ? text.slice(0, -1) || undefined : text;
}
