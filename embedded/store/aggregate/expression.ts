import { Double, Int32, Long } from 'bson';
import { compareValues } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, isTruthy, toNumber } from '../bson/value.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { parsePath } from '../query/path.ts';
import { typeName } from '../query/type-names.ts';
import { compute } from '../update/numbers.ts';

export interface Scope {
  root: Doc;
  current: Value;
  variables?: ReadonlyMap<string, Value>;
}

/** An expression's value for a document; undefined is MongoDB's "missing". */
export type Expression = (scope: Scope) => Value | undefined;

/** Compiles an aggregation expression; an operator that the engine does not have is refused (238). */
export function compileExpression(spec: Value): Expression {
  if (typeof spec === 'string' && spec.startsWith('$')) return compilePath(spec);
  if (Array.isArray(spec)) {
    const items = spec.map(compileExpression);
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const [first] = spec.keys();
  if (first?.startsWith('$')) return compileCall(first, spec);
  const fields = [...spec].map(([name, value]) => [name, compileExpression(value)] as const);
  return (scope) => new Map(fields.flatMap(([name, value]) => withValue(name, value(scope))));
}

function withValue(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}

function compilePath(text: string): Expression {
  const [head = '', ...rest] = parsePath(text.slice(text.startsWith('$$') ? 2 : 1));
  if (!text.startsWith('$$')) return (scope) => readPath(scope.current, [head, ...rest]);
  if (head === 'ROOT') return (scope) => readPath(scope.root, rest);
  if (head === 'CURRENT') return (scope) => readPath(scope.current, rest);
  if (head === 'NOW') {
    const now = new Date();
    return () => now;
  }
  if (head === 'REMOVE') return () => undefined;
  return (scope) => {
    const value = scope.variables?.get(head);
    if (value === undefined && !scope.variables?.has(head))
      throw badValue(`Use of undefined variable: ${head}`);
    return readPath(value, rest);
  };
}

/** A path in an expression goes through arrays by collecting the values of their elements. */
export function readPath(value: Value | undefined, path: readonly string[]): Value | undefined {
  let here = value;
  for (let at = 0; at < path.length; at++) {
    if (Array.isArray(here)) {
      const rest = path.slice(at);
      return here.flatMap((element) => {
        const found = isDoc(element) || Array.isArray(element) ? readPath(element, rest) : undefined;
        return found === undefined ? [] : [found];
      });
    }
    here = isDoc(here) ? here.get(path[at] ?? '') : undefined;
  }
  return here;
}

type Arguments = readonly (Value | undefined)[];
type Operator = (values: Arguments) => Value | undefined;

const isNothing = (value: Value | undefined): boolean => value === undefined || value === null;

function numeric(operator: string, combine: (left: number, right: number) => number): Operator {
  return ([left, right]) => {
    if (isNothing(left) || isNothing(right)) return null;
    if (!isNumber(left) || !isNumber(right))
      throw new StoreError('TypeMismatch', `${operator} only supports numeric types`);
    return numberOf(
      combine(toNumber(left), toNumber(right)),
      left instanceof Double || right instanceof Double,
    );
  };
}

function rounding(operator: string, round: (value: number) => number): Operator {
  return ([value]) => {
    if (isNothing(value)) return null;
    if (!isNumber(value)) throw new StoreError('TypeMismatch', `${operator} only supports numeric types`);
    return value instanceof Double ? new Double(round(value.value)) : numberOf(round(toNumber(value)), false);
  };
}

/** A whole number as int or long, anything else as double. */
export function numberOf(value: number, asDouble: boolean): Value {
  if (asDouble || !Number.isSafeInteger(value)) return new Double(value);
  return value === (value | 0) ? new Int32(value) : Long.fromNumber(value);
}

function folding(operator: 'add' | 'multiply'): Operator {
  return (values) => {
    if (values.some(isNothing)) return null;
    const date = values.find((value) => value instanceof Date);
    const numbers = values.filter((value) => isNumber(value));
    if (numbers.length + (date ? 1 : 0) !== values.length || (date && operator === 'multiply')) {
      throw new StoreError(
        'TypeMismatch',
        `$${operator} only supports numeric${operator === 'add' ? ' or date' : ''} types`,
      );
    }
    const start = new Int32(operator === 'add' ? 0 : 1);
    const total = numbers.reduce<(typeof numbers)[number]>(
      (sum, value) => compute(operator, sum, value),
      start,
    );
    return date ? new Date(date.getTime() + toNumber(total)) : total;
  };
}

function subtract([left, right]: Arguments): Value | undefined {
  if (isNothing(left) || isNothing(right)) return null;
  if (left instanceof Date && right instanceof Date) return Long.fromNumber(left.getTime() - right.getTime());
  if (left instanceof Date && isNumber(right)) return new Date(left.getTime() - toNumber(right));
  if (!isNumber(left) || !isNumber(right))
    throw new StoreError('TypeMismatch', '$subtract only supports numeric and date types');
  return compute('add', left, compute('multiply', right, new Int32(-1)));
}

function divide([left, right]: Arguments): Value | undefined {
  if (isNothing(left) || isNothing(right)) return null;
  if (!isNumber(left) || !isNumber(right))
    throw new StoreError('TypeMismatch', '$divide only supports numeric types');
  if (toNumber(right) === 0) throw badValue(`can't $divide by zero`);
  return new Double(toNumber(left) / toNumber(right));
}

function comparing(holds: (order: number) => boolean): Operator {
  return ([left, right]) => holds(orderOf(left, right));
}

function orderOf(left: Value | undefined, right: Value | undefined): number {
  const missing = Number(left !== undefined) - Number(right !== undefined);
  return missing !== 0 ? missing : compareValues(left, right);
}

function text(value: Value | undefined): string {
  if (isNothing(value)) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (isNumber(value)) return value.toString();
  throw new StoreError('TypeMismatch', 'the operator needs a string');
}

function array(value: Value | undefined, operator: string): Value[] {
  if (Array.isArray(value)) return value;
  throw new StoreError('TypeMismatch', `The argument to ${operator} must be an array`);
}

const STRICT: Record<string, Operator> = {
  $add: folding('add'),
  $multiply: folding('multiply'),
  $subtract: subtract,
  $divide: divide,
  $mod: numeric('$mod', (left, right) => left % right),
  $pow: numeric('$pow', (left, right) => left ** right),
  $abs: rounding('$abs', Math.abs),
  $ceil: rounding('$ceil', Math.ceil),
  $floor: rounding('$floor', Math.floor),
  $trunc: rounding('$trunc', Math.trunc),
  $eq: comparing((order) => order === 0),
  $ne: comparing((order) => order !== 0),
  $gt: comparing((order) => order > 0),
  $gte: comparing((order) => order >= 0),
  $lt: comparing((order) => order < 0),
  $lte: comparing((order) => order <= 0),
  $cmp: ([left, right]) => new Int32(orderOf(left, right)),
  $and: (values) => values.every(isTruthy),
  $or: (values) => values.some(isTruthy),
  $not: ([value]) => !isTruthy(value),
  $ifNull: (values) => values.find((value) => !isNothing(value)) ?? values.at(-1),
  $concat: (values) => (values.some(isNothing) ? null : values.map(text).join('')),
  $toLower: ([value]) => text(value).toLowerCase(),
  $toUpper: ([value]) => text(value).toUpperCase(),
  $toString: ([value]) => (isNothing(value) ? null : isNumber(value) ? value.toString() : textOf(value)),
  $strLenCP: ([value]) => new Int32([...text(value)].length),
  $size: ([value]) => new Int32(array(value, '$size').length),
  $isArray: ([value]) => Array.isArray(value),
  $in: ([value, list]) => array(list, '$in').some((element) => orderOf(element, value) === 0),
  $arrayElemAt: ([list, at]) =>
    isNothing(list) ? null : array(list, '$arrayElemAt').at(isNumber(at) ? toNumber(at) : 0),
  $first: ([list]) => (isNothing(list) ? null : array(list, '$first')[0]),
  $last: ([list]) => (isNothing(list) ? null : array(list, '$last').at(-1)),
  $concatArrays: (lists) =>
    lists.some(isNothing) ? null : lists.flatMap((list) => array(list, '$concatArrays')),
  $type: ([value]) => typeName(value),
  $mergeObjects: (values) => new Map(values.flatMap((value) => (isDoc(value) ? [...value] : []))),
  $min: (values) => best(values, -1),
  $max: (values) => best(values, 1),
  $sum: (values) =>
    listed(values)
      .filter((value) => isNumber(value))
      .reduce<Int32 | Double | Long>((sum, value) => compute('add', sum, value), new Int32(0)),
};

function textOf(value: Value | undefined): string {
  if (value !== null && typeof value === 'object' && '_bsontype' in value && value._bsontype === 'ObjectId')
    return value.toHexString();
  return typeof value === 'boolean' ? String(value) : text(value);
}

function listed(values: Arguments): Arguments {
  const [only] = values;
  return values.length === 1 && Array.isArray(only) ? only : values;
}

function best(values: Arguments, way: number): Value | undefined {
  return (
    listed(values)
      .filter((value) => !isNothing(value))
      .reduce<Value | undefined>(
        (found, value) => (found === undefined || orderOf(value, found) * way > 0 ? value : found),
        undefined,
      ) ?? null
  );
}

const LAZY: Record<string, (operand: Value) => Expression> = {
  $literal: (operand) => () => operand,
  $cond: compileCond,
  $switch: compileSwitch,
  $let: compileLet,
  $map: (operand) =>
    compileEach(operand, 'in', (list, evaluate) => list.map((element) => evaluate(element) ?? null)),
  $filter: (operand) =>
    compileEach(operand, 'cond', (list, evaluate) => list.filter((element) => isTruthy(evaluate(element)))),
  $dateToString: () => {
    throw notSupported('$dateToString');
  },
};

function compileCall(operator: string, spec: Doc): Expression {
  if (spec.size !== 1)
    throw new StoreError('BadValue', 'an object representing an expression must have exactly one field');
  const operand = spec.get(operator) ?? null;
  if (Object.hasOwn(LAZY, operator)) return LAZY[operator]?.(operand) ?? (() => null);
  const apply = Object.hasOwn(STRICT, operator) ? STRICT[operator] : undefined;
  if (!apply) throw notSupported(`the aggregation operator ${operator}`);
  const items = (Array.isArray(operand) ? operand : [operand]).map(compileExpression);
  return (scope) => apply(items.map((item) => item(scope)));
}

function part(operand: Value, name: string): Expression {
  const value = isDoc(operand) ? operand.get(name) : undefined;
  if (value === undefined) throw badValue(`Missing '${name}' parameter to an expression`);
  return compileExpression(value);
}

function compileCond(operand: Value): Expression {
  const [condition, then, otherwise] = Array.isArray(operand)
    ? operand.map(compileExpression)
    : [part(operand, 'if'), part(operand, 'then'), part(operand, 'else')];
  if (!condition || !then || !otherwise) throw badValue('Expression $cond takes exactly 3 arguments');
  return (scope) => (isTruthy(condition(scope)) ? then(scope) : otherwise(scope));
}

function compileSwitch(operand: Value): Expression {
  const branches = isDoc(operand) ? operand.get('branches') : undefined;
  if (!Array.isArray(branches)) throw badValue(`$switch expected an array for 'branches'`);
  const cases = branches.map((branch) => ({ condition: part(branch, 'case'), then: part(branch, 'then') }));
  const otherwise = isDoc(operand) && operand.has('default') ? part(operand, 'default') : undefined;
  return (scope) => {
    const found = cases.find(({ condition }) => isTruthy(condition(scope)));
    if (!found && !otherwise)
      throw badValue('$switch could not find a matching branch for an input, and no default was specified.');
    return found ? found.then(scope) : otherwise?.(scope);
  };
}

function compileLet(operand: Value): Expression {
  const variables = isDoc(operand) ? operand.get('vars') : undefined;
  const definitions = [...(isDoc(variables) ? variables : [])].map(
    ([name, value]) => [name, compileExpression(value)] as const,
  );
  const body = part(operand, 'in');
  return (scope) => {
    const values = new Map([
      ...(scope.variables ?? []),
      ...definitions.map(([name, value]) => [name, value(scope) ?? null] as const),
    ]);
    return body({ ...scope, variables: values });
  };
}

type Visit = (list: Value[], evaluate: (element: Value) => Value | undefined) => Value;

function compileEach(...[operand, body, visit]: [Value, string, Visit]): Expression {
  const input = part(operand, 'input');
  const as = isDoc(operand) ? operand.get('as') : undefined;
  const name = typeof as === 'string' ? as : 'this';
  const inner = part(operand, body);
  return (scope) => {
    const list = input(scope);
    if (isNothing(list)) return null;
    return visit(array(list, 'the operator'), (element) =>
      inner({ ...scope, variables: new Map([...(scope.variables ?? []), [name, element]]) }),
    );
  };
}
