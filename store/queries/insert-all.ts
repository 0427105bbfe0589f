import type { AnyCollection } from '../connection/model.ts';

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
