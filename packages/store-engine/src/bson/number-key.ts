import { Decimal128, Long } from 'bson';
import type { NumberValue } from './value.ts';

/**
 * Numbers of all four types compare by value, exactly. A key is the nearest double,
 * order-preserving, and then what the double lost: nothing for most numbers (one byte), else sign,
 * exponent and digits of the remainder.
 */
export interface NumberKey {
  double: number;
  /** `undefined` when the double is exact. */
  remainder?: { negative: boolean; exponent: number; digits: string };
}

interface Exact {
  /** value = coefficient × 10^exponent */
  coefficient: bigint;
  exponent: number;
}

const REMAINDER_DIGITS = 40;

export function numberKey(value: NumberValue): NumberKey {
  if (value instanceof Long) return longToKey(value);
  if (value instanceof Decimal128) return decimalToKey(value);
  return { double: value.value === 0 ? 0 : value.value };
}

function longToKey(value: Long): NumberKey {
  const double = value.toNumber();
  if (Number.isSafeInteger(double)) return { double };
  const rest = value.toBigInt() - BigInt(double);
  return rest === 0n
    ? { double }
    : { double, remainder: computeRemainder({ coefficient: rest, exponent: 0 }) };
}

function decimalToKey(value: Decimal128): NumberKey {
  const text = value.toString();
  if (text === 'NaN') return { double: NaN };
  if (text.endsWith('Infinity')) return { double: text.startsWith('-') ? -Infinity : Infinity };
  const exact = parseExact(text);
  if (exact.coefficient === 0n) return { double: 0 };
  const nearest = Number(`${exact.coefficient}e${exact.exponent}`);
  const double = Number.isFinite(nearest) ? nearest : Math.sign(nearest) * Number.MAX_VALUE;
  const rest = subtract(exact, doubleToExact(double));
  return rest.coefficient === 0n
    ? { double: double === 0 ? 0 : double }
    : { double, remainder: computeRemainder(rest) };
}

function parseExact(text: string): Exact {
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Every double is m × 2^e and so, with e < 0, m × 5^-e × 10^e: a finite decimal. */
function doubleToExact(double: number): Exact {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = (biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n) * (double < 0 ? -1n : 1n);
  const power = (biased === 0 ? 1 : biased) - 1075;
  if (power >= 0) return { coefficient: mantissa << BigInt(power), exponent: 0 };
  return { coefficient: mantissa * 5n ** BigInt(-power), exponent: power };
}

function subtract(left: Exact, right: Exact): Exact {
  const exponent = Math.min(left.exponent, right.exponent);
  const scale = (side: Exact): bigint => side.coefficient * 10n ** BigInt(side.exponent - exponent);
  return { coefficient: scale(left) - scale(right), exponent };
}

/**
 * Two stored numbers with the same nearest double differ within far fewer than 40 digits of their
 * remainders.
 */
function computeRemainder({ coefficient, exponent }: Exact): NonNullable<NumberKey['remainder']> {
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  return {
    negative: coefficient < 0n,
    exponent: exponent + digits.length,
    digits: digits.slice(0, REMAINDER_DIGITS).replace(/0+$/, ''),
  };
}
