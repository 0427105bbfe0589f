import type mongoose from 'mongoose';

/** Inserts documents, at least one, by one statement. */
export async function insertAll(
  collection: mongoose.Collection,
  documents: readonly { _id: string }[],
  { ordered }: { ordered: boolean },
): Promise<void> {
  // One alone is the usual case, and a bulk write of one costs the driver twice as much.
  if (documents.length === 1) await collection.insertOne({ ...documents[0] } as never);
  else await collection.insertMany([...documents] as never[], { ordered });
}
