import { compareValues } from '../bson/sort-key.ts';
import type { Value, NumberValue } from '../bson/value.ts';
import { isNumber, toNumber } from '../bson/value.ts';
import { StoreError, badValue } from '../errors.ts';
import { arrayOperator } from './arrays.ts';
import { Decimal128, Double, Int32, Long } from 'bson';

/** Returns undefined to keep the current value. */
export type ValueChange = (current: Value | undefined) => Value | undefined;

export type CompileChange = (operand: Value, path: string) => ValueChange;

function increment(operand: Value, path: string): ValueChange {
  if (!isNumber(operand))
    throw new StoreError('TypeMismatch', `Cannot increment with non-numeric argument: {${path}: …}`);
  return (current) => {
    if (current === undefined) return operand;
    if (isNumber(current)) return add(current, operand);
    throw new StoreError(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. The field '${path}' has a non-numeric value`,
    );
  };
}

function maximum(operand: Value): ValueChange {
  return (current) => (current === undefined || compareValues(operand, current) > 0 ? operand : undefined);
}

export const CHANGES: Record<string, CompileChange> = {
  $set: (operand) => () => operand,
  $inc: increment,
  $max: maximum,
  $push: arrayOperator('$push'),
  $pull: arrayOperator('$pull'),
};

const INT32_MAX = 2_147_483_647n;
const INT64_MAX = 9_223_372_036_854_775_807n;

/**
 * Adds with MongoDB's types: decimal wins over double, double over long and long over int. An int
 * that overflows becomes a long, and a long that overflows throws BadValue.
 */
export function add(left: NumberValue, right: NumberValue): NumberValue {
  if (left instanceof Decimal128 || right instanceof Decimal128) return addDecimals(left, right);
  if (left instanceof Double || right instanceof Double) return new Double(toNumber(left) + toNumber(right));
  const result = BigInt(left.toString()) + BigInt(right.toString());
  const isInt = left instanceof Int32 && right instanceof Int32;
  if (isInt && result <= INT32_MAX && result >= -INT32_MAX - 1n) return new Int32(Number(result));
  if (result > INT64_MAX || result < -INT64_MAX - 1n) {
    throw badValue('Failed to apply $inc operations: the result overflows a 64-bit integer');
  }
  return Long.fromBigInt(result);
}

interface Scaled {
  coefficient: bigint;
  exponent: number;
}

function addDecimals(left: NumberValue, right: NumberValue): Decimal128 {
  const [a, b] = [toScaled(left), toScaled(right)];
  if (!a || !b) return Decimal128.fromString(String(toNumber(left) + toNumber(right)));
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (side: Scaled): bigint => side.coefficient * 10n ** BigInt(side.exponent - exponent);
  return Decimal128.fromStringWithRounding(`${scale(a) + scale(b)}E${exponent}`);
}

function toScaled(value: NumberValue): Scaled | undefined {
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(value.toString());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}
