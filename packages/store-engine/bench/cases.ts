import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collection, Db, MongoClient } from 'mongodb';

export interface BenchMessage {
  _id: string;
  conversation: number;
  sequence: number;
  status: string;
  version: number;
  text: string;
}

/** A call that is repeated and measured, with `inFlight` calls at a time. */
export interface BenchCase {
  name: string;
  inFlight: number;
  call: (n: number) => Promise<unknown>;
  /** The report shows the ratio of this case to the named case. */
  against?: { name: string; of: 'rate' | 'time'; goal?: { atMost?: number; atLeast?: number } };
}

const PAGE = 200;
const SIZES = { small: 1_000, large: 100_000 };
const TEXT = 'x'.repeat(300);

/**
 * Fills two collections and returns the cases. The minimum is a command without work (`ping`), or a
 * flushed append to a file.
 */
export async function casesOn(client: MongoClient, folder: string): Promise<BenchCase[]> {
  const db = client.db('bench');
  const small = await filled(db.collection<BenchMessage>('small'), SIZES.small);
  const large = await filled(db.collection<BenchMessage>('large'), SIZES.large);
  const ping = () => db.command({ ping: 1 });
  return [
    { name: 'ping, 1 in flight', inFlight: 1, call: ping },
    { name: 'ping, 32 in flight', inFlight: 32, call: ping },
    { name: 'a file: append and flush', inFlight: 1, call: await appendTo(join(folder, 'floor')) },
    ...writes(db, large),
    ...reads(small, large),
  ];
}

function writes(db: Db, large: Collection<BenchMessage>): BenchCase[] {
  let next = SIZES.large;
  const insert = () => large.insertOne(message(next++));
  const update = (n: number) =>
    large.updateOne(
      { _id: `m${(n * 7) % SIZES.large}` },
      { $set: { status: `s${n}` }, $inc: { version: 1 } },
    );
  const bulk = db.collection<BenchMessage>('bulk');
  const batch = () => bulk.insertMany(Array.from({ length: 100 }, () => message(next++)));
  const flush = 'a file: append and flush';
  const shared = { of: 'rate', goal: { atLeast: 2 } } as const;
  return [
    { name: 'insert, 1 in flight', inFlight: 1, call: insert, against: { name: flush, of: 'time' } },
    {
      name: 'insert, 32 in flight',
      inFlight: 32,
      call: insert,
      against: { name: 'insert, 1 in flight', ...shared },
    },
    {
      name: 'insert of 100 at once',
      inFlight: 1,
      call: batch,
      against: { name: 'insert, 1 in flight', of: 'time' },
    },
    { name: 'update, 1 in flight', inFlight: 1, call: update, against: { name: flush, of: 'time' } },
    {
      name: 'update, 32 in flight',
      inFlight: 32,
      call: update,
      against: { name: 'update, 1 in flight', ...shared },
    },
  ];
}

function reads(small: Collection<BenchMessage>, large: Collection<BenchMessage>): BenchCase[] {
  const point = (n: number) => large.findOne({ _id: `m${(n * 7919) % SIZES.large}` });
  const range = (n: number) =>
    large
      .find({ conversation: n % 100, sequence: { $gte: (n * 7919) % (SIZES.large / 2) } })
      .sort({ sequence: 1 })
      .limit(10)
      .toArray();
  const slow = { of: 'time', goal: { atMost: 3 } } as const;
  return [
    {
      name: 'point read, 1 in flight',
      inFlight: 1,
      call: point,
      against: { name: 'ping, 1 in flight', ...slow },
    },
    {
      name: 'point read, 32 in flight',
      inFlight: 32,
      call: point,
      against: { name: 'ping, 32 in flight', ...slow },
    },
    {
      name: 'range of 10 by an index',
      inFlight: 1,
      call: range,
      against: { name: 'point read, 1 in flight', ...slow },
    },
    { name: 'page of 200 out of 1,000', inFlight: 1, call: readPage(small, SIZES.small) },
    {
      name: 'page of 200 out of 100,000',
      inFlight: 1,
      call: readPage(large, SIZES.large),
      against: { name: 'page of 200 out of 1,000', ...slow },
    },
  ];
}

function readPage(collection: Collection<BenchMessage>, size: number): BenchCase['call'] {
  return async (n) => {
    const from = (n * 7919) % (size - PAGE);
    const found = await collection
      .find({ sequence: { $gte: from } })
      .sort({ sequence: 1 })
      .limit(PAGE)
      .batchSize(PAGE + 1)
      .toArray();
    if (found.length !== PAGE) throw new Error(`a page of ${found.length}`);
  };
}

async function filled(collection: Collection<BenchMessage>, size: number): Promise<Collection<BenchMessage>> {
  await collection.createIndexes([
    { key: { conversation: 1, sequence: 1 }, unique: true },
    { key: { sequence: 1 } },
  ]);
  for (let at = 0; at < size; at += 1_000)
    await collection.insertMany(Array.from({ length: 1_000 }, (_, n) => message(at + n)));
  return collection;
}

export function message(sequence: number): BenchMessage {
  const fields = { conversation: sequence % 100, sequence, status: 'sent', version: 1, text: TEXT };
  return { _id: `m${sequence}`, ...fields };
}

async function appendTo(path: string): Promise<BenchCase['call']> {
  const file = await open(path, 'a');
  const row = Buffer.alloc(400, 'x');
  return async () => {
    await file.write(row);
    await file.datasync();
  };
}
