import { encodeLimitedKey } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { RANK, isNumber, getTypeRank, toNumber } from '../bson/value.ts';
import type { IndexBound } from '../query/operators.ts';

/** Half-open. */
export interface Interval {
  from: Buffer;
  to: Buffer;
}

/** No key starts with byte 255, so this suffix sorts after all keys with the same beginning. */
const BEHIND = Buffer.from([255]);

interface KeyFormat {
  descending: boolean;
  limit: number;
}

export function encodeEqualKey(value: Value, { descending, limit }: KeyFormat): Buffer {
  return encodeLimitedKey({ value, descending }, limit).key;
}

/**
 * Returns an interval that contains every key that fulfils `bound`, and possibly other keys.
 * Returns undefined when an index cannot help.
 */
export function computeInterval(bound: IndexBound, field: KeyFormat): Interval | undefined {
  if (bound.kind === 'prefix') return prefixInterval(bound.text, field);
  if (bound.kind !== 'range') return undefined;
  const { relation, value } = bound;
  const rank = getTypeRank(value);
  if (rank === RANK.minKey || rank === RANK.maxKey || (isNumber(value) && Number.isNaN(toNumber(value))))
    return undefined;
  const { key, truncated } = encodeLimitedKey({ value, descending: field.descending }, field.limit);
  const whole = rankInterval(rank, field.descending);
  const upward = (relation === '$gt' || relation === '$gte') !== field.descending;
  const inclusive = truncated || relation === '$gte' || relation === '$lte';
  const behind = Buffer.concat([key, BEHIND]);
  if (upward) return { from: inclusive ? key : behind, to: whole.to };
  return { from: whole.from, to: inclusive ? behind : key };
}

function rankInterval(rank: number, descending: boolean): Interval {
  const first = descending ? 255 - rank : rank;
  return { from: Buffer.from([first]), to: Buffer.from([first + 1]) };
}

function prefixInterval(text: string, { descending, limit }: KeyFormat): Interval {
  const whole = encodeLimitedKey({ value: text, descending }, limit);
  // Drop the two bytes that end a string, because any text may follow the prefix.
  const key = whole.truncated ? whole.key : whole.key.subarray(0, -2);
  return { from: key, to: Buffer.concat([key, BEHIND]) };
}

export function intersect(left: Interval, right: Interval): Interval {
  return {
    from: Buffer.compare(left.from, right.from) >= 0 ? left.from : right.from,
    to: Buffer.compare(left.to, right.to) <= 0 ? left.to : right.to,
  };
}
