import type mongoose from 'mongoose';

/** What a record's field is asked to be. For a list: some element equals one of the values; it has an element; it has none. */
export type Condition = {
  /** A field as callers name it: `id`, `participants.user`. */
  path: string;
} & ({ is: 'one of'; values: (string | number | boolean | Date)[] } | { is: 'present' | 'absent' });

/** A list request that was understood (contract 9). */
export interface ListQuery {
  conditions: Condition[];
  sort: { path: string; descending: boolean }[];
  limit: number;
  offset: number;
}

export interface Page<T> {
  records: T[];
  /** How many there are in all. */
  total: number;
}

type Filter = Record<string, unknown>;

/** The records that fulfil both the query and `scope`, the part of the filter that the caller has no hand in. `id` ascending ends every order. */
export async function findPage<T>(
  { collection }: { collection: mongoose.Collection },
  scope: Filter,
  query: ListQuery,
): Promise<Page<T>> {
  const filter = { $and: [scope, ...query.conditions.map(filterOf)] };
  const sort = query.sort.map(({ path, descending }) => [stored(path), descending ? -1 : 1] as const);
  const order = new Map<string, 1 | -1>(sort);
  if (!order.has('_id')) order.set('_id', 1);
  const [records, total] = await Promise.all([
    collection.find(filter).sort(order).skip(query.offset).limit(query.limit).toArray(),
    collection.countDocuments(filter),
  ]);
  return { records: records as T[], total };
}

function stored(path: string): string {
  return path === 'id' ? '_id' : path;
}

// Null counts as absent, and so does a list without elements (contract 9).
const ABSENT = [null, []];

function filterOf(condition: Condition): Filter {
  const path = stored(condition.path);
  switch (condition.is) {
    case 'one of':
      return { [path]: { $in: condition.values } };
    case 'present':
      return { [path]: { $nin: ABSENT } };
    case 'absent':
      return { [path]: { $in: ABSENT } };
  }
}
