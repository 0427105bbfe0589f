import { parseArgs } from 'node:util';
import type { Collection, Db } from 'mongodb';
import { MongoClient } from 'mongodb';

const BATCH = 500;

/**
 * The program `copy.js --from URI --to URI --db NAME`: copies documents and indexes between two
 * servers, each a fallback store or MongoDB. Refuses a target database that is not empty.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, db: { type: 'string' } },
  });
  if (!values.from || !values.to || !values.db) throw new Error('--from, --to and --db are needed');
  const [from, to] = await Promise.all([MongoClient.connect(values.from), MongoClient.connect(values.to)]);
  try {
    await copyDatabase(from.db(values.db), to.db(values.db));
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}

async function copyDatabase(from: Db, to: Db): Promise<void> {
  const existing = await to.listCollections({}, { nameOnly: true }).toArray();
  if (existing.length > 0) throw new Error(`the database ${to.databaseName} of the target is not empty`);
  const collections = await from.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections.filter((one) => !one.name.startsWith('system.'))) {
    const count = await copyCollection(from.collection(name), to.collection(name));
    process.stdout.write(`${name}: ${count} documents\n`);
  }
}

async function copyCollection(from: Collection, to: Collection): Promise<number> {
  const options = { promoteValues: false, bsonRegExp: true };
  let count = 0;
  let batch = [];
  for await (const document of from.find({}, options)) {
    batch.push(document);
    if (batch.length < BATCH) continue;
    await to.insertMany(batch);
    count += batch.length;
    batch = [];
  }
  if (batch.length > 0) await to.insertMany(batch);
  const indexes = (await from.indexes()).filter(({ name }) => name !== '_id_');
  if (indexes.length > 0) {
    await to.createIndexes(
      indexes.map(({ v: _version, ...index }) => ({ ...index, key: index.key as Record<string, 1> })),
    );
  }
  return count + batch.length;
}

main().catch((error: unknown) => {
  process.stderr.write(`copy: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
