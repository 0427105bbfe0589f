import mongoose from 'mongoose';

/** Fields that name the owner of a document. */
const OWNERS = [
  ...['_id', 'organization', 'parent', 'user', 'contact', 'conversation', 'message', 'service', 'eventtype'],
];
/** Collections that are not compared, because they change over time or with any request. */
const VOLATILE = /^(leases|workers|apiprocesses|requestcounts|idempotency|limitedattempts)$/i;

/** Returns every stored document that one of the ids owns, as text. */
export async function storedOf(uri: string, ids: readonly string[]): Promise<Map<string, string>> {
  const owned = new Set(ids);
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const found = new Map<string, string>();
    const collections = (await connection.db?.listCollections().toArray()) ?? [];
    for (const { name } of collections) {
      if (VOLATILE.test(name)) continue;
      for await (const document of connection.collection(name).find()) {
        if (!OWNERS.some((field) => owned.has(String(document[field] as unknown)))) continue;
        found.set(`${name} ${String(document._id)}`, textOf(document));
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}

function textOf(document: object): string {
  return JSON.stringify(document, (name, value: unknown) => (name === 'lastUsedAt' ? undefined : value));
}
