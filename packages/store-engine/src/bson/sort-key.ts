import type { Binary, BSONRegExp, Code, ObjectId, Timestamp } from 'bson';
import type { NumberValue, Value } from './value.ts';
import { RANK, getTypeRank } from './value.ts';
import { Decimal128, Long } from 'bson';

/**
 * This module encodes values as keys: bytes that memcmp orders as MongoDB orders the values. Every
 * key marks its own end, so the keys of several fields can be concatenated.
 */
class KeyTooLong extends Error {}

const scratch = { bytes: Buffer.allocUnsafe(4096), at: 0, limit: Infinity };

/** An empty array sorts before null and missing. */
export const EMPTY_ARRAY = Symbol('[]');

/** `undefined` is a missing value, which sorts as null. */
export type KeyValue = Value | undefined | typeof EMPTY_ARRAY;

export interface KeyPart {
  value: KeyValue;
  descending: boolean;
}

/** Returns equal keys exactly for equal values. `Int32(1)` and `Double(1)` are equal. */
export function encodeKey(value: KeyValue): Buffer {
  scratch.at = 0;
  scratch.limit = Infinity;
  write(value);
  return Buffer.from(scratch.bytes.subarray(0, scratch.at));
}

export function encodeKeyParts(parts: readonly KeyPart[]): Buffer {
  scratch.at = 0;
  scratch.limit = Infinity;
  for (const part of parts) writePart(part);
  return Buffer.from(scratch.bytes.subarray(0, scratch.at));
}

/** Truncates the key to `limit` bytes. Equal truncated keys do not prove equal values. */
export function encodeLimitedKey(part: KeyPart, limit: number): { key: Buffer; truncated: boolean } {
  scratch.at = 0;
  scratch.limit = limit;
  try {
    writePart(part);
    return { key: Buffer.from(scratch.bytes.subarray(0, scratch.at)), truncated: false };
  } catch (error) {
    if (!(error instanceof KeyTooLong)) throw error;
    const key = Buffer.from(scratch.bytes.subarray(0, limit));
    return { key: part.descending ? invert(key, 0, limit) : key, truncated: true };
  }
}

export function compareValues(left: KeyValue, right: KeyValue): number {
  if (left === right) return 0;
  return Buffer.compare(encodeKey(left), encodeKey(right));
}

function writePart({ value, descending }: KeyPart): void {
  const start = scratch.at;
  write(value);
  if (descending) invert(scratch.bytes, start, scratch.at);
}

function invert(bytes: Buffer, start: number, end: number): Buffer {
  for (let at = start; at < end; at++) bytes[at] = 255 - (bytes[at] ?? 0);
  return bytes;
}

function reserve(size: number): void {
  if (scratch.at + size > scratch.bytes.length) {
    const bigger = Buffer.allocUnsafe(Math.max(scratch.bytes.length * 2, scratch.at + size));
    scratch.bytes.copy(bigger, 0, 0, scratch.at);
    scratch.bytes = bigger;
  }
}

function checkLimit(): void {
  if (scratch.at > scratch.limit) throw new KeyTooLong();
}

function writeByte(byte: number): void {
  reserve(1);
  scratch.bytes[scratch.at++] = byte;
}

function write(value: KeyValue): void {
  if (value === undefined || value === EMPTY_ARRAY) {
    writeByte(value === undefined ? RANK.null : RANK.emptyArray);
    return;
  }
  const rank = getTypeRank(value);
  writeByte(rank);
  writeContent(rank, value as NonNullable<Value>);
  checkLimit();
}

const WRITERS: Record<number, (value: never) => void> = {
  [RANK.number]: writeNumber,
  [RANK.string]: (value: string | { value: string }) => {
    writeText(typeof value === 'string' ? value : value.value);
  },
  [RANK.object]: writeObject,
  [RANK.array]: writeList,
  [RANK.binary]: writeBinary,
  [RANK.objectId]: (value: ObjectId) => {
    writeRaw(value.id);
  },
  [RANK.boolean]: (value: boolean) => {
    writeByte(value ? 1 : 0);
  },
  [RANK.date]: (value: Date) => {
    writeDouble(value.getTime());
  },
  [RANK.timestamp]: writeTimestamp,
  [RANK.regex]: (value: BSONRegExp) => {
    writeText(value.pattern);
    writeText(value.options);
  },
  [RANK.code]: writeCode,
  [RANK.codeWithScope]: writeCode,
};

function writeContent(rank: number, value: NonNullable<Value>): void {
  WRITERS[rank]?.(value as never);
}

function writeCode(value: Code): void {
  writeText(value.code);
  if (value.scope) writeObject(value.scope as Map<string, Value>);
}

/**
 * Writes UTF-8, whose bytes sort as MongoDB sorts text. A zero byte ends the text, so zeros inside
 * are escaped.
 */
function writeText(text: string): void {
  reserve(text.length * 3 + 2);
  const start = scratch.at;
  scratch.at += scratch.bytes.write(text, start);
  if (scratch.bytes.subarray(start, scratch.at).includes(0)) escapeZeros(start);
  writeByte(0);
  writeByte(1);
}

function escapeZeros(start: number): void {
  const plain = Buffer.from(scratch.bytes.subarray(start, scratch.at));
  reserve(plain.length * 2 + 2);
  scratch.at = start;
  for (const byte of plain) {
    scratch.bytes[scratch.at++] = byte;
    if (byte === 0) scratch.bytes[scratch.at++] = 255;
  }
}

function writeRaw(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.bytes.set(bytes, scratch.at);
  scratch.at += bytes.length;
}

function writeBinary(value: Binary): void {
  reserve(5);
  scratch.at = scratch.bytes.writeUInt32BE(value.position, scratch.at);
  scratch.bytes[scratch.at++] = value.sub_type;
  writeRaw(value.buffer.subarray(0, value.position));
}

function writeTimestamp(value: Timestamp): void {
  reserve(8);
  scratch.at = scratch.bytes.writeUInt32BE(value.t, scratch.at);
  scratch.at = scratch.bytes.writeUInt32BE(value.i, scratch.at);
}

/** Flips the bits so that the bytes sort as numbers do. NaN sorts first. */
function writeDouble(double: number): void {
  reserve(8);
  const { bytes, at } = scratch;
  if (Number.isNaN(double)) {
    bytes.fill(0, at, at + 8);
  } else {
    bytes.writeDoubleBE(double, at);
    if (double < 0) invert(bytes, at, at + 8);
    else bytes[at] = (bytes[at] ?? 0) | 0x80;
  }
  scratch.at = at + 8;
}

function writeNumber(value: NumberValue): void {
  const { double, remainder } = numberKey(value);
  writeDouble(double);
  if (!remainder) {
    writeByte(0x80);
    return;
  }
  writeByte(remainder.negative ? 0x7f : 0x81);
  const start = scratch.at;
  reserve(2);
  scratch.at = scratch.bytes.writeUInt16BE(remainder.exponent + 0x8000, scratch.at);
  writeText(remainder.digits);
  if (remainder.negative) invert(scratch.bytes, start, scratch.at);
}

/** Writes type, name and value of each field: MongoDB's order of embedded documents. */
function writeObject(doc: ReadonlyMap<string, Value>): void {
  for (const [name, value] of doc) {
    const rank = getTypeRank(value);
    writeByte(rank);
    writeText(name);
    writeContent(rank, value as NonNullable<Value>);
    checkLimit();
  }
  writeByte(0);
}

function writeList(values: readonly Value[]): void {
  for (const value of values) write(value);
  writeByte(0);
}

/**
 * Numbers of all types compare exactly: first the nearest double, then the remainder that the
 * double lost.
 */
interface NumberKey {
  double: number;
  /** Undefined when the double is exact. */
  remainder?: { negative: boolean; exponent: number; digits: string };
}

interface Exact {
  /** value = coefficient × 10^exponent */
  coefficient: bigint;
  exponent: number;
}

const REMAINDER_DIGITS = 40;

function numberKey(value: NumberValue): NumberKey {
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

/** Converts a double m × 2^e exactly: for e < 0 it equals m × 5^-e × 10^e, a finite decimal. */
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

/** Keeps forty digits: different numbers with the same nearest double differ within them. */
function computeRemainder({ coefficient, exponent }: Exact): NonNullable<NumberKey['remainder']> {
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString();
  return {
    negative: coefficient < 0n,
    exponent: exponent + digits.length,
    digits: digits.slice(0, REMAINDER_DIGITS).replace(/0+$/, ''),
  };
}
