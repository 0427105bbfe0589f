import type mongoose from 'mongoose';
import type { Condition, ListQuery } from '../domain/query/tree.ts';
import { compileFilter, storedPath } from './compile-filter.ts';
import type { Filter } from './compile-filter.ts';

export type { Condition, ListQuery };

export interface Page<T> {
  records: T[];
  /** How many there are in all. */
  total: number;
}

/** The records that fulfil both the query and `scope`, the part of the filter that the caller has no hand in. `id` ascending ends every order. */
export async function findPage<T>(
  { collection }: { collection: mongoose.Collection },
  scope: Filter,
  query: ListQuery,
): Promise<Page<T>> {
  const filter = { $and: [scope, compileFilter(query.conditions)] };
  const sort = query.sort.map(({ path, descending }) => [storedPath(path), descending ? -1 : 1] as const);
  const order = new Map<string, 1 | -1>(sort);
  if (!order.has('_id')) order.set('_id', 1);
  const [records, total] = await Promise.all([
    collection.find(filter).sort(order).skip(query.offset).limit(query.limit).toArray(),
    collection.countDocuments(filter),
  ]);
  return { records: records as T[], total };
}
