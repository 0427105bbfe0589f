import type mongoose from 'mongoose';
import type { Condition } from '../domain/query/tree.ts';
import { compileFilter } from './compile-filter.ts';
import type { Filter } from './compile-filter.ts';

/** The first record, by id, that fulfils both the conditions and `scope`, the part of the filter that the caller has no hand in. */
export async function findFirst<T>(
  { collection }: { collection: mongoose.Collection },
  scope: Filter,
  conditions: readonly Condition[],
): Promise<T | null> {
  const [first] = await collection
    .find({ $and: [scope, compileFilter(conditions)] })
    .sort({ _id: 1 })
    .limit(1)
    .toArray();
  return (first ?? null) as T | null;
}
