import { BSONRegExp } from 'bson';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { parsePath } from './path.ts';
import type { Path } from './path.ts';
import type { Compile, FieldCondition } from './operators.ts';
import {
  equality,
  matchesCondition,
  negate,
  notEvery,
  scalarOnly,
  plainOperator,
  valueMatches,
} from './operators.ts';

export type DocTest = (doc: Doc) => boolean;

export interface Conjunct {
  field: string;
  condition: FieldCondition;
}

export interface CompiledFilter {
  matches: DocTest;
  /** The top-level fields that `matches` reads. Empty if the filter has no conditions. */
  fields: ReadonlySet<string>;
  conjuncts: readonly Conjunct[];
  /** True when the conjuncts are equivalent to the filter. */
  plain: boolean;
}

interface Compilation {
  fields: Set<string>;
  plain: boolean;
}

/** Throws BadValue (2) or a similar error, or NotImplemented (238) for an unsupported operator. */
export function compileFilter(spec: Value | undefined): CompiledFilter {
  if (spec !== undefined && spec !== null && !isDoc(spec)) {
    throw new StoreError('TypeMismatch', 'the filter must be an object');
  }
  const state: Compilation = { fields: new Set(), plain: true };
  const conjuncts: Conjunct[] = [];
  const matches = spec ? compileDoc(spec, { state, conjuncts }) : () => true;
  return { matches, fields: state.fields, conjuncts, plain: state.plain };
}

export function conjunction(conjuncts: readonly Conjunct[]): CompiledFilter {
  const tests = conjuncts.map(({ field, condition }) => buildDocTest(condition, parsePath(field)));
  const fields = new Set(conjuncts.map(({ field }) => parsePath(field)[0] ?? ''));
  return { matches: all(tests), fields, conjuncts, plain: true };
}

function buildDocTest(condition: FieldCondition, path: Path): DocTest {
  return (doc) => matchesCondition(condition, doc, path);
}

interface FilterContext {
  state: Compilation;
  /** Undefined below `$or`, where a document can match without meeting each condition. */
  conjuncts: Conjunct[] | undefined;
}

function all(tests: readonly DocTest[]): DocTest {
  const [first, second] = tests;
  if (!first) return () => true;
  if (!second) return first;
  return (doc) => tests.every((test) => test(doc));
}

function compileDoc(spec: Doc, context: FilterContext): DocTest {
  return all([...spec].flatMap(([name, value]) => compileEntry({ name, value }, context)));
}

function compileEntry({ name, value }: { name: string; value: Value }, context: FilterContext): DocTest[] {
  if (!name.startsWith('$')) return compileField({ name, value }, context);
  if (name === '$and') return branches(name, value).map((branch) => compileDoc(branch, context));
  if (name !== '$or') throw unknownTopLevel(name);
  context.state.plain = false;
  const inner = { state: context.state, conjuncts: undefined };
  const tests = branches(name, value).map((branch) => compileDoc(branch, inner));
  return [(doc) => tests.some((test) => test(doc))];
}

const TOP_LEVEL_OF_MONGODB = [
  '$nor',
  '$expr',
  '$comment',
  '$where',
  '$text',
  '$jsonSchema',
  '$sampleRate',
  '$alwaysTrue',
  '$alwaysFalse',
];

function unknownTopLevel(name: string): StoreError {
  return TOP_LEVEL_OF_MONGODB.includes(name)
    ? notSupported(name)
    : badValue(`unknown top level operator: ${name}`);
}

function branches(name: string, value: Value): Doc[] {
  if (!Array.isArray(value) || value.length === 0) throw badValue(`${name} must be a nonempty array`);
  return value.map((branch) => {
    if (!isDoc(branch)) throw badValue('$or/$and entries need to be full objects');
    return branch;
  });
}

function compileField({ name, value }: { name: string; value: Value }, context: FilterContext): DocTest[] {
  const path = parsePath(name);
  context.state.fields.add(path[0] ?? '');
  const conditions = compileConditions(value);
  if (context.conjuncts)
    for (const condition of conditions) context.conjuncts.push({ field: name, condition });
  return conditions.map((condition) => buildDocTest(condition, path));
}

export function compileConditions(value: Value): FieldCondition[] {
  if (value instanceof BSONRegExp) return [compileOperator('$regex', value, new Map())];
  if (!isDoc(value)) return [equality(value)];
  const [first] = value.keys();
  if (!first?.startsWith('$') || first === '$ref' || first === '$id') return [equality(value)];
  return [...value]
    .filter(([operator]) => operator !== '$options' || !value.has('$regex'))
    .map(([operator, operand]) => compileOperator(operator, operand, value));
}

function not(operand: Value): FieldCondition {
  if (operand instanceof BSONRegExp) return negate(compileOperator('$regex', operand, new Map()));
  if (!isDoc(operand) || operand.size === 0) throw badValue('$not needs a regex or a document');
  const conditions = [...operand]
    .filter(([operator]) => operator !== '$options' || !operand.has('$regex'))
    .map(([operator, value]) => compileOperator(operator, value, operand));
  return notEvery(conditions);
}

function elemMatch(operand: Value): FieldCondition {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  const [first] = operand.keys();
  const onValues = first?.startsWith('$') && !['$and', '$or'].includes(first);
  const test = onValues ? valueElementTest(operand) : docElementTest(operand);
  return { test: (value) => Array.isArray(value) && value.some(test), elements: false, negated: false };
}

function valueElementTest(operand: Doc): (value: Value) => boolean {
  const conditions = compileConditions(operand).map(scalarOnly);
  return (value) => conditions.every((condition) => valueMatches(condition, value));
}

function docElementTest(operand: Doc): (value: Value) => boolean {
  const { matches } = compileFilter(operand);
  return (value) => (isDoc(value) ? matches(value) : Array.isArray(value) && matches(arrayToDoc(value)));
}

function arrayToDoc(values: readonly Value[]): Doc {
  return new Map(values.map((value, index) => [String(index), value]));
}

const NESTED: Record<string, Compile> = { $not: not, $elemMatch: elemMatch };

const KNOWN_TO_MONGODB = [
  '$type',
  '$all',
  '$size',
  '$mod',
  '$comment',
  '$bitsAllSet',
  '$bitsAnySet',
  '$bitsAllClear',
  '$bitsAnyClear',
  '$geoWithin',
  '$geoIntersects',
  '$near',
  '$nearSphere',
  '$within',
  '$geoNear',
  '$jsonSchema',
];

function compileOperator(operator: string, operand: Value, siblings: Doc): FieldCondition {
  const compile = Object.hasOwn(NESTED, operator) ? NESTED[operator] : plainOperator(operator);
  if (compile) return compile(operand, siblings);
  if (KNOWN_TO_MONGODB.includes(operator)) throw notSupported(operator);
  if (operator === '$options') throw new StoreError('BadValue', '$options needs a $regex');
  throw badValue(`unknown operator: ${operator}`);
}
