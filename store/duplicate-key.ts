import mongoose from 'mongoose';

const DUPLICATE_KEY = 11000;

/** Whether a write was refused because a unique value is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Inserts documents; those whose `_id` is there already are left as they are, so that the same insert can be repeated.
 * Any other failure is thrown.
 */
export async function insertMissing(
  collection: mongoose.Collection,
  documents: readonly { _id: string }[],
): Promise<void> {
  const [only] = documents;
  if (!only) return;
  try {
    // One alone is the usual case, and a bulk write of one costs the driver twice as much.
    if (documents.length === 1) await collection.insertOne({ ...only } as never);
    else await collection.insertMany([...documents] as never[], { ordered: false });
  } catch (error) {
    const refused = refusedAsDuplicates(error);
    if (!refused) throw error;
    // Another unique value that is taken, such as a number, is a repetition only if the document itself is there.
    const ids = refused.map((at) => documents[at]?._id);
    const known = await collection.countDocuments({ _id: { $in: ids as never[] } });
    if (known < ids.length) throw error;
  }
}

/** The places of the documents that were refused, if all were for a unique value that is taken. */
function refusedAsDuplicates(error: unknown): number[] | null {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return isDuplicateKey(error) ? [0] : null;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) return null;
  return failures.map(({ index }) => index);
}
