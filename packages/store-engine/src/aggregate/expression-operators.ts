import { Double, Int32, Long } from 'bson';
import { compareValues } from '../bson/sort-key.ts';
import type { NumberValue, Value } from '../bson/value.ts';
import { isDoc, isNumber, isTruthy, toNumber } from '../bson/value.ts';
import { StoreError, badValue } from '../errors.ts';
import { typeName } from '../query/type-names.ts';
import { compute } from '../update/numbers.ts';

export type Arguments = readonly (Value | undefined)[];
export type Operator = (values: Arguments) => Value | undefined;

export const isNothing = (value: Value | undefined): boolean => value === undefined || value === null;

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
function numberOf(value: number, asDouble: boolean): Value {
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

export function array(value: Value | undefined, operator: string): Value[] {
  if (Array.isArray(value)) return value;
  throw new StoreError('TypeMismatch', `The argument to ${operator} must be an array`);
}

/** Operators whose arguments are all evaluated first. */
export const STRICT: Record<string, Operator> = {
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
  $strLenCP: ([value]) => new Int32(Array.from(text(value)).length),
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
      .reduce<NumberValue>((sum, value) => compute('add', sum, value), new Int32(0)),
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
