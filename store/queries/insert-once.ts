import type { AnyCollection } from '../connection/model.ts';

/**
 * Inserts a document unless one with its id is there: a request that is taken over after a crash
 * makes its records again. Rejects with a duplicate-key error when another unique value is taken.
 */
export async function insertOnce(
  { collection }: { collection: AnyCollection },
  { _id, ...fields }: { _id: string },
): Promise<void> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  await collection.updateOne({ _id: _id }, { $setOnInsert: Object.fromEntries(present) }, { upsert: true });
}
