import type { BSONRegExp, BSONSymbol, Binary, Code, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { Decimal128, Double, Int32, Long } from 'bson';

/** A `Map`, because a plain object would move integer-like keys to the front. */
export type Doc = Map<string, Value>;

export type Value =
  | null
  | boolean
  | string
  | Date
  | Int32
  | Double
  | Long
  | Decimal128
  | ObjectId
  | Binary
  | BSONRegExp
  | BSONSymbol
  | Code
  | Timestamp
  | MinKey
  | MaxKey
  | Raw
  | Doc
  | Value[];

/** An undecoded value. It can only be copied into another document. */
export interface Raw {
  _bsontype: 'Raw';
  type: number;
  bytes: Buffer;
}

export type NumberValue = Int32 | Double | Long | Decimal128;

/** MongoDB's order of types in comparisons and sorts. */
export const RANK = {
  minKey: 1,
  emptyArray: 3,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  code: 60,
  codeWithScope: 65,
  maxKey: 127,
} as const;

const RANK_BY_BSON_TYPE: Record<string, number> = {
  Int32: RANK.number,
  Double: RANK.number,
  Long: RANK.number,
  Decimal128: RANK.number,
  ObjectId: RANK.objectId,
  Binary: RANK.binary,
  BSONRegExp: RANK.regex,
  BSONSymbol: RANK.string,
  Timestamp: RANK.timestamp,
  MinKey: RANK.minKey,
  MaxKey: RANK.maxKey,
};

export function getTypeRank(value: Value): number {
  if (value === null) return RANK.null;
  if (typeof value === 'string') return RANK.string;
  if (typeof value === 'boolean') return RANK.boolean;
  if (value instanceof Map) return RANK.object;
  if (Array.isArray(value)) return RANK.array;
  if (value instanceof Date) return RANK.date;
  if (value._bsontype === 'Code') return value.scope ? RANK.codeWithScope : RANK.code;
  return RANK_BY_BSON_TYPE[value._bsontype] ?? RANK.object;
}

export function isNumber(value: Value | undefined): value is NumberValue {
  return (
    value instanceof Int32 || value instanceof Double || value instanceof Long || value instanceof Decimal128
  );
}

export function isDoc(value: unknown): value is Doc {
  return value instanceof Map;
}

/** Rounds a Long or Decimal128 that no double equals. */
export function toNumber(value: NumberValue): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  return value instanceof Long ? value.toNumber() : Number(value.toString());
}

export function toStringOrEmpty(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns false for false, null, missing and every zero, as MongoDB does. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || toNumber(value) !== 0;
}
