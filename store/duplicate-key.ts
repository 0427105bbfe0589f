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
  model: mongoose.AnyObject & { collection: Inserter },
  documents: object[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await model.collection.insertMany(documents, { ordered: false });
  } catch (error) {
    if (!onlyDuplicateIds(error)) throw error;
  }
}

interface Inserter {
  insertMany(documents: object[], options: { ordered: boolean }): Promise<unknown>;
}

function onlyDuplicateIds(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return false;
  const failures = [error.writeErrors].flat();
  return (
    failures.length > 0 && failures.every(({ code, errmsg }) => code === DUPLICATE_KEY && isAboutId(errmsg))
  );
}

// A taken number or slug is a broken invariant, not a repetition.
function isAboutId(message: string | undefined): boolean {
  return message?.includes('index: _id_') ?? false;
}
