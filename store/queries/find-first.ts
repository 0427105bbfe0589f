import type { AnyCollection } from '../connection/model.ts';
import type { Condition } from '../../domain/query/tree.ts';
import { compileFilter } from './compile-filter.ts';
import type { Filter } from './compile-filter.ts';
import { rethrowTooLong } from './too-long.ts';

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
