import mongoose from 'mongoose';
import type { AnyCollection } from '../connection/model.ts';


const DUPLICATE_KEY = 11000;

/** Whether a write was refused because a unique value is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Inserts documents; those whose `_id` is there already are left as they are, so that the same
 * insert can be repeated. Any other failure is thrown.
 */
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
    // Another unique value that is taken, such as a number, is a repetition only if the document
    // itself is there.
    const ids = refused.flatMap((at) => documents[at]?._id ?? []);
    const known = await collection.countDocuments({ _id: { $in: ids } });
    if (known < ids.length) throw error;
  }
}

/** The places of the documents that were refused, if all were for a unique value that is taken. */
function findDuplicatePositions(error: unknown): number[] | null {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return isDuplicateKey(error) ? [0] : null;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) return null;
  return failures.map(({ index }) => index);
}


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


/** Inserts documents, at least one, by one statement. */
export async function insertAll(
  collection: AnyCollection,
  documents: readonly { _id: string }[],
  { ordered }: { ordered: boolean },
): Promise<void> {
  // One alone is the usual case, and a bulk write of one costs the driver twice as much.
  const [first, second] = documents;
  if (first && !second) await collection.insertOne(first);
  else await collection.insertMany([...documents], { ordered });
}
