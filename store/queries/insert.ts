import mongoose from 'mongoose';
import type { AnyCollection } from '../connection/model.ts';

const DUPLICATE_KEY = 11000;

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** Returns false if a unique value, such as the id, is taken. */
export async function tryInsert(collection: AnyCollection, document: { _id: string }): Promise<boolean> {
  try {
    await collection.insertOne(document);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Skips documents whose `_id` exists, so that the insert can be repeated. */
export async function insertMissing(
  collection: AnyCollection,
  documents: readonly { _id: string }[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await insertAll(collection, documents, { ordered: false });
  } catch (error) {
    const refused = findDuplicatePositions(error);
    if (!refused) throw error;
    // If fewer ids are stored, another unique value, such as a sequence, is taken.
    const ids = refused.flatMap((at) => documents[at]?._id ?? []);
    const known = await collection.countDocuments({ _id: { $in: ids } });
    if (known < ids.length) throw error;
  }
}

/** Returns null unless all failures were duplicates. */
function findDuplicatePositions(error: unknown): number[] | null {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return isDuplicateKey(error) ? [0] : null;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) return null;
  return failures.map(({ index }) => index);
}

/**
 * Inserts a document unless its id exists, because a request taken over after a crash repeats its
 * inserts. Returns whether it inserted. Rejects if another unique value is taken.
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

/** Needs at least one document. */
export async function insertAll(
  collection: AnyCollection,
  documents: readonly { _id: string }[],
  { ordered }: { ordered: boolean },
): Promise<void> {
  // For one document, `insertMany` costs the driver twice as much as `insertOne`.
  const [first, second] = documents;
  if (first && !second) await collection.insertOne(first);
  else await collection.insertMany([...documents], { ordered });
}
