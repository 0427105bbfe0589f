import type mongoose from 'mongoose';
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
  { collection }: { collection: mongoose.Collection },
  { filter, goesOn, visit }: Walk<T>,
): Promise<boolean> {
  let after = '';
  while (goesOn()) {
    const found = await collection
      .find({ $and: [{ _id: { $gt: after as never } }, filter] })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const records = found as unknown as T[];
    for (const record of records) await visit(record);
    const last = records.at(-1);
    if (!last || records.length < BATCH) return true;
    after = last._id;
  }
  return false;
}
