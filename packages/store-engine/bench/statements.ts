import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { endProcess, startProcess } from '../test/process.ts';

interface StatementRow {
  _id: string;
  [field: string]: any;
}

const ROUNDS = 4000;
const AT_ONCE = 8;
const MESSAGES = 20_000;

/** Prints the store's CPU time (`serverStatus`) for statements of the product's hot path. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
  const store = await startProcess(folder);
  const client = await MongoClient.connect(store.uri);
  try {
    await measure(client.db('bench'));
  } finally {
    await client.close();
    await endProcess(store, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(db: Db): Promise<void> {
  const messages = db.collection<StatementRow>('messages');
  const conversations = db.collection<StatementRow>('conversations');
  const deliveries = db.collection<StatementRow>('deliveries');
  await createIndexes(db);
  await conversations.insertMany(Array.from({ length: 200 }, (_, n) => conversation(n)));
  for (let at = 0; at < MESSAGES; at += 1000)
    await messages.insertMany(Array.from({ length: 1000 }, (_, n) => message(at + n)));
  const shards = Array.from({ length: 16 }, (_, n) => n);
  const report = (name: string, rounds: number, statement: (at: number) => Promise<unknown>) =>
    each(db, { name, rounds, statement });
  await report('ping', ROUNDS, () => db.command({ ping: 1 }));
  await report('find one by _id', ROUNDS, (at) => messages.findOne({ _id: `m${at}` }));
  await report('commit of a conversation', ROUNDS, (at) =>
    conversations.findOneAndUpdate(
      { _id: `c${at % 200}`, version: Math.floor(at / 200) + 1 },
      {
        $set: {
          version: Math.floor(at / 200) + 2,
          updatedAt: new Date(),
          messageCount: at,
          commit: 'x'.repeat(1500),
        },
      },
      { projection: { results: 1 }, returnDocument: 'after' },
    ),
  );
  await report('insert of one message', ROUNDS, (at) => messages.insertMany([message(MESSAGES + at)]));
  await report('insert of one delivery', ROUNDS, (at) => deliveries.insertMany([delivery(at)]));
  await report('deliveries that are due, none', ROUNDS, () =>
    deliveries
      .find(
        { pace: 'patient', shard: { $in: shards }, dueAt: { $lte: new Date() } },
        { projection: { lane: 1, service: 1, shard: 1 }, limit: 500, batchSize: 500 },
      )
      .toArray(),
  );
  await report('attempt of a delivery', ROUNDS, (at) =>
    deliveries.updateOne(
      { _id: `d${at}`, status: 'pending', tries: 0 },
      {
        $set: { status: 'delivered', finishedAt: new Date(), expiresAt: new Date() },
        $unset: { dueAt: '' },
        $inc: { tries: 1 },
        $push: {
          attempts: { $each: [{ at: new Date(), durationMs: 3, status: 200 }], $slice: -50 },
        } as never,
      },
    ),
  );
  await report('page of 200 messages', 400, (at) =>
    messages
      .find({ organization: 'o', createdAt: { $gte: new Date(at * 1000) } })
      .sort({ createdAt: 1, _id: 1 })
      .limit(200)
      .batchSize(201)
      .toArray(),
  );
  await report('page of 200 messages, some fields', 400, (at) =>
    messages
      .find({ organization: 'o', createdAt: { $gte: new Date(at * 1000) } })
      .project({ text: 1, type: 1, createdAt: 1 })
      .sort({ createdAt: 1, _id: 1 })
      .limit(200)
      .batchSize(201)
      .toArray(),
  );
}

async function createIndexes(db: Db): Promise<void> {
  await db.collection('messages').createIndexes([
    {
      key: { conversation: 1, sequence: 1 },
      unique: true,
      partialFilterExpression: { sequence: { $exists: true } },
    },
    {
      key: { conversation: 1, externalId: 1 },
      unique: true,
      partialFilterExpression: { externalId: { $exists: true } },
    },
    { key: { organization: 1, createdAt: 1, _id: 1 } },
  ]);
  await db
    .collection('conversations')
    .createIndexes([
      { key: { slug: 1 }, unique: true },
      { key: { organization: 1, status: 1, updatedAt: -1, _id: 1 } },
      { key: { organization: 1, updatedAt: -1, _id: 1 } },
      { key: { 'participants.user': 1, updatedAt: -1, _id: 1 } },
    ]);
  await db
    .collection('deliveries')
    .createIndexes([
      { key: { pace: 1, shard: 1, dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
      { key: { lane: 1, status: 1, sequence: 1, _id: 1 } },
      { key: { service: 1, status: 1, createdAt: 1, _id: 1 } },
      { key: { organization: 1, createdAt: 1, _id: 1 } },
      { key: { conversation: 1 } },
      { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ]);
}

function message(n: number): StatementRow {
  return {
    _id: `m${n}`,
    conversation: `c${n % 200}`,
    organization: 'o',
    slug: `s${n}`,
    text: `message ${n} `.padEnd(120, 'x'),
    type: 'chat',
    role: 'agent',
    contentType: 'text/plain',
    isBackchannel: false,
    user: 'u',
    touchpoint: 'web',
    createdBy: 'u',
    createdAt: new Date(n * 1000),
    updatedAt: new Date(n * 1000),
    sequence: Math.floor(n / 200) + 1,
    processedAt: new Date(n * 1000),
  };
}

function conversation(n: number): StatementRow {
  return {
    _id: `c${n}`,
    version: 1,
    organization: 'o',
    slug: `c${n}`,
    status: 'active',
    name: `conversation ${n}`,
    participants: [
      { user: 'u', active: true, unreadCount: 0, inbox: false },
      { user: 'v', active: false, unreadCount: 3, inbox: true },
    ],
    meta: { a: '1', b: '2' },
    recent: Array.from({ length: 50 }, (_, at) => ({ id: `m${at}`, sequence: at })),
    createdAt: new Date(),
    updatedAt: new Date(),
    results: [],
  };
}

function delivery(n: number): StatementRow {
  return {
    _id: `d${n}`,
    event: `e${n}`,
    lane: `l${n % 200}`,
    service: 's',
    conversation: `c${n % 200}`,
    organization: 'o',
    shard: n % 16,
    pace: 'prompt',
    status: 'pending',
    tries: 0,
    sequence: n,
    dueAt: new Date(),
    createdAt: new Date(),
    body: 'x'.repeat(1200),
  };
}

interface StatementMeasurement {
  name: string;
  rounds: number;
  statement: (at: number) => Promise<unknown>;
}

async function each(db: Db, { name, rounds, statement }: StatementMeasurement): Promise<void> {
  const before = await cpuMs(db);
  for (let at = 0; at < rounds; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => statement(at + n)));
  const ms = (await cpuMs(db)) - before;
  console.log(`${name}: ${(ms / rounds).toFixed(3)} ms`);
}

async function cpuMs(db: Db): Promise<number> {
  const status = await db.command({ serverStatus: 1 });
  const { user_time_us: user, system_time_us: system } = status.extra_info;
  return (Number(user) + Number(system)) / 1000;
}

await main();
