import type { AnyCollection } from '../connection/model.ts';
import type { Condition } from '../../domain/query/tree.ts';
import { compileFilter } from './compile-filter.ts';
import type { Filter } from './compile-filter.ts';
import { readRecords, rethrowTooLong } from './listing.ts';
import type { Part, ReadBounds } from './listing.ts';
import type mongoose from 'mongoose';

export interface BoundedSearch {
  conditions: readonly Condition[];
  withinMs: number;
}

/** Returns the first match in `scope` by id. Throws SearchTooLong after `withinMs`. */
export async function findFirst<T>(
  { collection }: { collection: AnyCollection },
  scope: Filter,
  { conditions, withinMs }: BoundedSearch,
): Promise<T | null> {
  const [first] = await collection
    .find({ $and: [scope, compileFilter(conditions)] })
    .sort({ _id: 1 })
    .limit(1)
    .maxTimeMS(Math.max(1, Math.ceil(withinMs)))
    .toArray()
    .catch(rethrowTooLong);
  return (first ?? null) as T | null;
}

/** Small, because messages can be large. */
const BATCH = 20;

/** Returns at least one record if any exists, even a record larger than `maxCharacters`. */
export async function readUpTo<T extends object>(
  cursor: mongoose.mongo.FindCursor,
  bounds: ReadBounds,
): Promise<Part<T>> {
  return readRecords<T>(cursor.limit(bounds.limit).batchSize(Math.min(bounds.limit, BATCH)), bounds);
}

/** Excludes tombstones of conversations and messages. */
export const NOT_DELETED = { deletedAt: { $exists: false } };
