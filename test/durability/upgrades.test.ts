import { MongoClient } from 'mongodb';
import { expect, inject, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { startApi } from '../support/shared-servers.ts';

const DATABASE = 'upgrades';

test('a worker finds what earlier releases stored in their own way, beside its work', async () => {
  const product = await startApi(DATABASE);
  const mongodb = await MongoClient.connect(inject('mongodbUri'));
  try {
    const { id } = (await product.admin.post('/conversations', { name: 'Straße' })).body;
    const user = (await product.admin.post('/users', { role: 'agent', givenName: 'Ada' })).body.id;
    const found = async (query: string) => (await product.admin.get(query)).body.map((one: any) => one.id);
    const [search, named] = ['/conversations/search?q=strasse', '/users?name=Ada'];
    await eventually(async () => (await found(search)).length === 1);
    const db = mongodb.db(DATABASE);
    const last = { _id: 'renewed-search-words' as never };
    await eventually(() => db.collection('upgrades').findOne(last));
    // As an earlier release left them.
    await db.collection('upgrades').deleteMany({});
    const noted = { own: ['straße'], words: ['straße'] };
    await db.collection('searchwords').updateOne({ _id: id }, { $set: noted });
    await db.collection('users').updateOne({ _id: user }, { $unset: { name: '' } });
    await db.collection('conversations').updateOne({ _id: id }, { $unset: { lastMessageAt: '' } });
    const spoken = async () => found('/conversations?lastMessageAt=>2000-01-01T00:00:00.000Z');
    expect(await spoken()).toEqual([]);
    expect([await found(search), await found(named)]).toEqual([[], []]);
    const worker = startNode('dist/worker/main.js', { env: product.environment });
    await eventually(async () => (await found(search)).length === 1, { withinMs: 60_000 });
    expect([await found(search), await found(named), await spoken()]).toEqual([[id], [user], [id]]);
    await worker.stop();
  } finally {
    await mongodb.close();
    await product.close();
  }
});
