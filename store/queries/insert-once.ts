import type { AnyCollection } from '../connection/model.ts';

/**
 * Inserts a document unless one with its id is there: a request that is taken over after a crash
 * makes its records again. Answers whether it was not there. Rejects with a duplicate-key error
 * when another unique value is taken.
 */
export async function insertOnce(
  { collection }: { collection: AnyCollection },
  { _id, ...fields }: { _id: string },
): Promise<boolean> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const { upsertedCount } = await collection.updateOne(
    { _id },
    { $setOnInsert: Object.fromEntries(present) },
    { upsert: true },
  );
  return upsertedCount > 0;
}
