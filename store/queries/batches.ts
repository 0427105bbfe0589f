import type { AnyCollection } from '../connection/model.ts';
import type { Filter } from './compile-filter.ts';

const BATCH = 200;

interface Walk<T> {
  filter: Filter;
  /** Asked before each batch. */
  goesOn: () => boolean;
  visit: (record: T) => Promise<unknown>;
}

/**
 * Visits every record that fulfils the filter, in the order of their ids, some at a time: no read
 * takes long or holds much. Resolves to whether it came to the end.
 */
export async function inBatches<T extends { _id: string }>(
  { collection }: { collection: AnyCollection },
  { filter, goesOn, visit }: Walk<T>,
): Promise<boolean> {
  let after = '';
  while (goesOn()) {
    const records = await collection
      .find<T>({ $and: [{ _id: { $gt: after } }, filter] })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    for (const record of records) await visit(record);
    const last = records.at(-1);
    if (!last || records.length < BATCH) return true;
    after = last._id;
  }
  return false;
}
