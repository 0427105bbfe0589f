import { Decimal128, Double, Int32, Long } from 'bson';
import type { Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import { badValue } from '../errors.ts';

const NUMBER_BY_NAME: Record<string, number> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};

const NAME_BY_BSON_TYPE: Record<string, string> = {
  ObjectId: 'objectId',
  Binary: 'binData',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  Code: 'javascript',
  Timestamp: 'timestamp',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

/** The name that `$type` gives the type of a value. */
export function typeName(value: Value | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isDoc(value)) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (value instanceof Long) return 'long';
  if (value instanceof Decimal128) return 'decimal';
  return NAME_BY_BSON_TYPE[value._bsontype] ?? 'object';
}

/** The test of `$type`: a name, a number, or an array of them. */
export function typeTest(operand: Value): (value: Value | undefined) => boolean {
  const wanted = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(namesOf));
  return (value) => wanted.has(typeName(value));
}

function namesOf(operand: Value): string[] {
  if (operand === 'number') return ['int', 'long', 'double', 'decimal'];
  if (typeof operand === 'string' && Object.hasOwn(NUMBER_BY_NAME, operand)) return [operand];
  if (isNumber(operand)) {
    const name = Object.entries(NUMBER_BY_NAME).find(([, number]) => number === toNumber(operand))?.[0];
    if (name) return [name];
  }
  throw badValue(
    `Unknown type name alias or code: ${typeof operand === 'string' ? operand : 'of this kind'}`,
  );
}
