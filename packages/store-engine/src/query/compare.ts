import { Int32, Double, ObjectId } from 'bson';
import { encodeKey } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { RANK, isNumber, getTypeRank, toNumber } from '../bson/value.ts';

export type ValueTest = (value: Value | undefined) => boolean;

/** Compares numbers of all types by value. `null` also equals a missing value. */
export function equalityTest(wanted: Value): ValueTest {
  if (wanted === null) return (value) => value === undefined || value === null;
  if (typeof wanted === 'boolean' || typeof wanted === 'string') return plainEqualityTest(wanted);
  if (wanted instanceof ObjectId) return (value) => value instanceof ObjectId && value.equals(wanted);
  const number = wanted instanceof Int32 || wanted instanceof Double ? wanted.value : undefined;
  const rank = getTypeRank(wanted);
  const key = encodeKey(wanted);
  return (value) => {
    if (value === undefined) return false;
    if (number !== undefined && (value instanceof Int32 || value instanceof Double)) {
      return value.value === number || (Number.isNaN(number) && Number.isNaN(value.value));
    }
    return getTypeRank(value) === rank && encodeKey(value).equals(key);
  };
}

function plainEqualityTest(wanted: string | boolean): ValueTest {
  return (value) =>
    value === wanted ||
    (typeof value === 'object' &&
      value !== null &&
      '_bsontype' in value &&
      value._bsontype === 'BSONSymbol' &&
      value.value === wanted);
}

export type Relation = '$gt' | '$gte' | '$lt' | '$lte';

function holds(relation: Relation, order: number): boolean {
  if (relation === '$gt') return order > 0;
  if (relation === '$gte') return order >= 0;
  return relation === '$lt' ? order < 0 : order <= 0;
}

/**
 * Returns a test that accepts only values of the type of `wanted` (MongoDB's type bracketing),
 * unless `wanted` is MinKey or MaxKey.
 */
export function orderTest(relation: Relation, wanted: Value): ValueTest {
  const rank = getTypeRank(wanted);
  const orEqual = relation === '$gte' || relation === '$lte';
  if (rank === RANK.null) return (value) => orEqual && (value === undefined || value === null);
  if (isNumber(wanted) && Number.isNaN(toNumber(wanted))) {
    return (value) => orEqual && isNumber(value) && Number.isNaN(toNumber(value));
  }
  const anyType = rank === RANK.minKey || rank === RANK.maxKey;
  const key = encodeKey(wanted);
  return (value) => {
    if (value === undefined) return anyType && holds(relation, RANK.null - rank);
    if (getTypeRank(value) !== rank) return anyType && holds(relation, getTypeRank(value) - rank);
    if (isNumber(value) && Number.isNaN(toNumber(value))) return false;
    return holds(relation, Buffer.compare(encodeKey(value), key));
  };
}
