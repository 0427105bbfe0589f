import type { AnyCollection } from '../connection/model.ts';
import type { Condition } from '../../domain/query/tree.ts';
import { compileFilter } from './compile-filter.ts';
import type { Filter } from './compile-filter.ts';
import { rethrowTooLong } from './listing.ts';
import type mongoose from 'mongoose';
import { charactersIn } from '../../domain/characters.ts';
import { createSlices } from './slices.ts';

/** A search without an index. */
export interface BoundedSearch {
  conditions: readonly Condition[];
  withinMs: number;
}

/** Returns the first match by id. Callers cannot change `scope`. Throws SearchTooLong. */
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

export interface ReadBounds {
  limit: number;
  /** The read ends with the record that reaches this sum. */
  maxCharacters: number;
}

export interface Part<T> {
  records: T[];
  /** Whether a bound ended the read. */
  more: boolean;
}

/** Reads in time slices. Returns at least one record if any exists. */
export async function readUpTo<T extends object>(
  cursor: mongoose.mongo.FindCursor,
  { limit, maxCharacters }: ReadBounds,
): Promise<Part<T>> {
  const slices = createSlices();
  const records: T[] = [];
  let characters = 0;
  cursor.limit(limit).batchSize(Math.min(limit, BATCH));
  try {
    while (records.length < limit && characters < maxCharacters) {
      const record = (await cursor.next()) as T | null;
      if (record === null) return { records, more: false };
      records.push(record);
      characters += charactersIn(record);
      const rest = slices.rest();
      if (rest) await rest;
    }
    return { records, more: true };
  } finally {
    await cursor.close();
  }
}

/** Deleted conversations and messages are tombstones. */
export const NOT_DELETED = { deletedAt: { $exists: false } };
