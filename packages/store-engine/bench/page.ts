import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from 'mongodb';
import { MongoClient } from 'mongodb';
import { startStore } from '../src/server.ts';

interface Message {
  _id: string;
  conversation: number;
  sequence: number;
  status: string;
  version: number;
  text: string;
}

const PAGE = 200;
const ROUNDS = 40;

/**
 * A page of 200 by an indexed field out of 100,000 documents against the same page out of 1,000
 * (the goal: at most 3 times the cost), and the CPU that the hot statements of the product cost.
 * All in one run, so that only ratios are compared.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
  const store = await startStore({ dataDir: folder });
  const client = await MongoClient.connect(store.uri);
  try {
    const small = await filled(client.db('bench').collection<Message>('small'), 1000);
    const large = await filled(client.db('bench').collection<Message>('large'), 100_000);
    await pages(small, 1000);
    const few = await pages(small, 1000);
    const many = await pages(large, 100_000);
    report('page of 200 out of 1,000', few);
    report('page of 200 out of 100,000', many);
    console.log(`ratio ${(many / few).toFixed(2)}`);
    await statements(large);
    console.log(`memory ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`);
    await client.close();
    await store.close();
    const start = performance.now();
    await (await startStore({ dataDir: folder })).close();
    report('start-up with 100,000 messages', performance.now() - start);
    console.log(`data file ${((await stat(join(folder, 'data.mdb'))).size / 1e6).toFixed(0)} MB`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function filled(collection: Collection<Message>, count: number): Promise<Collection<Message>> {
  await collection.createIndexes([
    { key: { conversation: 1, sequence: 1 }, unique: true },
    { key: { sequence: 1 } },
  ]);
  const start = performance.now();
  for (let at = 0; at < count; at += 1000) {
    const text = 'x'.repeat(300);
    await collection.insertMany(
      Array.from({ length: 1000 }, (_, n) => {
        const sequence = at + n;
        return {
          _id: `m${sequence}`,
          conversation: sequence % 100,
          sequence,
          status: 'sent',
          version: 1,
          text,
        };
      }),
    );
  }
  report(`insert of ${count} in batches of 1,000`, performance.now() - start);
  return collection;
}

async function pages(collection: Collection<Message>, count: number): Promise<number> {
  const start = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    const from = Math.floor(((count - PAGE) * round) / ROUNDS);
    const found = await collection
      .find({ sequence: { $gte: from } })
      .sort({ sequence: 1 })
      .limit(PAGE)
      .batchSize(PAGE + 1)
      .toArray();
    if (found.length !== PAGE) throw new Error(`a page of ${found.length}`);
  }
  return (performance.now() - start) / ROUNDS;
}

async function statements(collection: Collection<Message>): Promise<void> {
  await each('find by _id', (at) => collection.findOne({ _id: `m${at}` }));
  await each('findOneAndUpdate by _id and version', (at) =>
    collection.findOneAndUpdate(
      { _id: `m${at}`, version: 1 },
      { $set: { status: 'read' }, $inc: { version: 1 } },
    ),
  );
  await each('range of one conversation', (at) =>
    collection
      .find({ conversation: at % 100, sequence: { $gte: at } })
      .sort({ sequence: 1 })
      .limit(10)
      .toArray(),
  );
}

async function each(name: string, statement: (at: number) => Promise<unknown>): Promise<void> {
  const count = 2000;
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let at = 0; at < count; at += 20)
    await Promise.all(Array.from({ length: 20 }, (_, n) => statement(at + n)));
  const { user, system } = process.cpuUsage(cpu);
  report(`${name}, 20 at once, CPU of client and store`, (user + system) / 1000 / count);
  report(`${name}, 20 at once, time`, (performance.now() - start) / count);
}

function report(what: string, ms: number): void {
  console.log(`${what}: ${ms.toFixed(3)} ms`);
}

await main();
