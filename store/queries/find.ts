import type { AnyCollection } from '../connection/model.ts';
import type { Condition } from '../../domain/query/tree.ts';
import { compileFilter } from './compile-filter.ts';
import type { Filter } from './compile-filter.ts';
import { rethrowTooLong } from './listing.ts';
import type mongoose from 'mongoose';
import { charactersIn } from '../../domain/characters.ts';
import { createSlices } from './slices.ts';


/** Something that looks for values which no index knows: it may look for so long. */
export interface BoundedSearch {
  conditions: readonly Condition[];
  withinMs: number;
}

/**
 * The first record, by id, that fulfils both the conditions and `scope`, the part of the filter
 * that the caller has no hand in. Throws SearchTooLong.
 */
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


/** Messages of the longest text are large: few are fetched that nobody is going to be shown. */
const BATCH = 20;

/** How much a read returns at most. */
export interface ReadBounds {
  limit: number;
  /** The read ends with the record that reaches so many characters. */
  maxCharacters: number;
}

/** The first records of a query. */
export interface Part<T> {
  records: T[];
  /** Whether a bound ended the read, so that more records may follow. */
  more: boolean;
}

/**
 * Reads a cursor up to its bounds, in slices of time. Returns at least one record if there is one.
 */
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
/**
 * What a filter says of conversations and messages that are not deleted: of those that are, only a
 * tombstone is left.
 */
export const NOT_DELETED = { deletedAt: { $exists: false } };
