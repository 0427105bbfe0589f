import { MongoClient } from 'mongodb';
import { expect, inject, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { startNode } from '../support/node-process.ts';

/** Returns the names of all indexes that were created explicitly, with their collections. */
async function indexesOf(uri: string, database: string) {
  const client = await MongoClient.connect(uri);
  try {
    const db = client.db(database);
    const found: string[] = [];
    for (const { name } of await db.listCollections().toArray()) {
      for (const index of await db.collection(name).indexes()) found.push(`${name}.${index.name ?? ''}`);
    }
    // MongoDB creates the index `_id_` itself.
    return found.filter((name) => !name.endsWith('._id_')).sort();
  } finally {
    await client.close();
  }
}

test('npm run indexes builds all indexes that the API and the worker build when they start', async () => {
  const product = await sharedApi('indexes');
  const uri = inject('mongodbUri');
  const env = { MONGODB_URI: new URL('/indexes', uri).toString() };
  const built = startNode('dist/worker/build-indexes.js', { env });
  expect([await built.ended, built.output()]).toEqual([0, expect.stringContaining('all indexes are built')]);
  const before = await indexesOf(uri, 'indexes');
  expect(before.length).toBeGreaterThan(20);
  const { pathname } = new URL(product.environment['MONGODB_URI'] ?? '');
  expect(await indexesOf(uri, pathname.slice(1))).toEqual(before);
  await product.close();
});

test('npm run indexes names a missing setting', async () => {
  const built = startNode('dist/worker/build-indexes.js', { env: { MONGODB_URI: '' } });
  expect([await built.ended, built.output()]).toEqual([
    1,
    expect.stringContaining('MONGODB_URI is required'),
  ]);
});
