import type { BSONRegExp, BSONSymbol, Binary, Code, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { Decimal128, Double, Int32, Long } from 'bson';

/**
 * A BSON document with its key order kept: a plain object would move keys that look like integers
 * to the front.
 */
export type Doc = Map<string, Value>;

/** A BSON value in the one representation the engine uses; numbers keep their stored type. */
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

/**
 * A value that was left as its bytes, because it is only carried along and written out again:
 * nothing can look into it.
 */
export interface Raw {
  _bsontype: 'Raw';
  type: number;
  bytes: Buffer;
}

export type NumberValue = Int32 | Double | Long | Decimal128;

/**
 * The order of types in comparisons and sorts, as MongoDB documents it; the gaps are those of its
 * own canonical types.
 */
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

/**
 * The place of a value's type in MongoDB's order of types; values compare with each other only
 * within one rank.
 */
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

/** A number as JavaScript sees it; a Long or Decimal128 that does not fit is rounded. */
export function toNumber(value: NumberValue): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  return value instanceof Long ? value.toNumber() : Number(value.toString());
}

/** A string value; anything else is the empty string, which names nothing. */
export function toStringOrEmpty(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** MongoDB's idea of truth: false, null, missing and every zero are false. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || toNumber(value) !== 0;
}
