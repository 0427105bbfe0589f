import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { endProcess, startProcess } from '../test/process.ts';
import { casesOn, message } from './cases.ts';
import type { BenchMessage } from './cases.ts';
import { formatRow, measure } from './rounds.ts';
import type { RoundMeasurement } from './rounds.ts';

const KILLED_AFTER_MS = 1_000;

/**
 * The program `npm run bench -w @parlance/store-engine -- --rounds N`: measures the engine alone,
 * in a separate process. Ratios are taken within a round, so that the machine's speed cancels out.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
  const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
  try {
    await compare(folder, Number(values.rounds));
    await startAgain(folder);
    await killAndCount(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, count: number): Promise<void> {
  const store = await startProcess(folder);
  const client = await MongoClient.connect(store.uri);
  const cases = await casesOn(client, folder);
  const rounds = new Map(cases.map(({ name }) => [name, [] as RoundMeasurement[]]));
  const db = client.db('bench');
  for (let round = 0; round <= count; round++) {
    for (const one of cases) {
      const measured = await measure(one, { db, counted: round * 1_000_000 });
      if (round > 0) rounds.get(one.name)?.push(measured);
    }
  }
  for (const one of cases) console.log(formatRow(one, rounds));
  await client.close();
  await endProcess(store, 'SIGTERM');
}

async function startAgain(folder: string): Promise<void> {
  const { size } = await stat(join(folder, 'data.mdb'));
  const before = performance.now();
  await endProcess(await startProcess(folder), 'SIGTERM');
  const seconds = ((performance.now() - before) / 1_000).toFixed(1);
  console.log(`start with all of a file of ${(size / 1e6).toFixed(0)} MB checked: ${seconds} s`);
}

async function killAndCount(folder: string): Promise<void> {
  const store = await startProcess(folder);
  const client = await MongoClient.connect(store.uri, { retryWrites: false });
  const answered = new Set<string>();
  let next = 0;
  const writer = async () => {
    for (;;) {
      const { _id } = message(next++);
      const rows = client.db('bench').collection<Pick<BenchMessage, '_id'>>('killed');
      if (!(await rows.insertOne({ _id }).catch(() => undefined))) return;
      answered.add(_id);
    }
  };
  const writers = Array.from({ length: 32 }, writer);
  await new Promise((resolve) => setTimeout(resolve, KILLED_AFTER_MS));
  await endProcess(store, 'SIGKILL');
  await Promise.all(writers);
  await client.close();
  const again = await startProcess(folder);
  const reader = await MongoClient.connect(again.uri);
  const found = await reader.db('bench').collection<Pick<BenchMessage, '_id'>>('killed').find().toArray();
  const there = new Set(found.map(({ _id }) => _id));
  const lost = [...answered].filter((id) => !there.has(id)).length;
  console.log(`killed under writes: ${answered.size} answered, ${lost} of them lost`);
  if (lost > 0) process.exitCode = 1;
  await reader.close();
  await endProcess(again, 'SIGTERM');
}

await main();
