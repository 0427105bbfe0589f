import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumberValue } from '../bson/value.ts';
import { toNumber } from '../bson/value.ts';
import { StoreError } from '../errors.ts';

export type Arithmetic = 'add' | 'multiply';

const INT32_MAX = 2_147_483_647n;
const INT64_MAX = 9_223_372_036_854_775_807n;

/**
 * `$inc` and `$mul` as MongoDB types them: decimal wins over double, double over long, long over
 * int; an int that grows too large becomes a long; a long that overflows is refused.
 */
export function compute(operation: Arithmetic, left: NumberValue, right: NumberValue): NumberValue {
  if (left instanceof Decimal128 || right instanceof Decimal128)
    return computeDecimal(operation, left, right);
  if (left instanceof Double || right instanceof Double) {
    const [a, b] = [toNumber(left), toNumber(right)];
    return new Double(operation === 'add' ? a + b : a * b);
  }
  const [a, b] = [BigInt(left.toString()), BigInt(right.toString())];
  const result = operation === 'add' ? a + b : a * b;
  const isInt = left instanceof Int32 && right instanceof Int32;
  if (isInt && result <= INT32_MAX && result >= -INT32_MAX - 1n) return new Int32(Number(result));
  if (result > INT64_MAX || result < -INT64_MAX - 1n) {
    throw new StoreError(
      'BadValue',
      `Failed to apply $${operation === 'add' ? 'inc' : 'mul'} operations: the result overflows a 64-bit integer`,
    );
  }
  return Long.fromBigInt(result);
}

interface Scaled {
  coefficient: bigint;
  exponent: number;
}

function computeDecimal(operation: Arithmetic, left: NumberValue, right: NumberValue): Decimal128 {
  const [a, b] = [scaled(left), scaled(right)];
  if (!a || !b)
    return Decimal128.fromString(
      String(operation === 'add' ? toNumber(left) + toNumber(right) : toNumber(left) * toNumber(right)),
    );
  const result =
    operation === 'add'
      ? sum(a, b)
      : { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
  return Decimal128.fromStringWithRounding(`${result.coefficient}E${result.exponent}`);
}

function sum(a: Scaled, b: Scaled): Scaled {
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (side: Scaled): bigint => side.coefficient * 10n ** BigInt(side.exponent - exponent);
  return { coefficient: scale(a) + scale(b), exponent };
}

/** Undefined for NaN and the infinities. */
function scaled(value: NumberValue): Scaled | undefined {
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(value.toString());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return { coefficient: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}
