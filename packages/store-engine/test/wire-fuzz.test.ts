import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chanceOf } from './damages.ts';
import type { StoreProcess } from './process.ts';
import { endProcess, startProcess } from './process.ts';
import { mutated, recordedTraffic } from './wire-mutations.ts';

const MESSAGES = Number(process.env['STORE_MESSAGES'] ?? 20_000);
const SEED = Number(process.env['STORE_SEED'] ?? 1988);
/** Latencies are only asserted under `npm run test:load`. */
const MEASURES = Number(process.env['PARLANCE_LOAD_MINUTES'] ?? 0) > 0;
const CONNECTIONS = 4;
const MESSAGES_AT_ONCE = 20;

let folder = '';
let store: StoreProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
  store = await startProcess(folder);
});

afterEach(async () => {
  await endProcess(store, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/**
 * Sends mutated messages, many on each connection, and opens a new connection when the old
 * connection is closed.
 */
async function attack({
  count,
  seed,
  messages,
}: {
  count: number;
  seed: number;
  messages: Buffer[];
}): Promise<void> {
  const chance = chanceOf(seed);
  const port = Number(new URL(store.uri).port);
  let socket: Socket | undefined;
  for (let sent = 0; sent < count; sent += MESSAGES_AT_ONCE) {
    if (!socket || socket.destroyed) {
      socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.resume();
    }
    socket.write(Buffer.concat(Array.from({ length: MESSAGES_AT_ONCE }, () => mutated(messages, chance))));
    // Wait at most 20 ms: a message that announces more bytes than it has gets no reply until the
    // next message.
    const settled = new AbortController();
    const given = { signal: settled.signal };
    const events = ['data', 'close'].map((name) => once(socket!, name, given).catch(() => undefined));
    await Promise.race([...events, wait(20)]);
    settled.abort();
    if (sent % 2000 === 0) socket.destroy();
  }
  socket?.destroy();
}

interface Honest {
  times: number[];
  /** Number of rows before and after the attack. */
  from: number;
  written: number;
}

/** Writes and reads documents until `isOver`. Returns the time of each write and read. */
async function honest(client: MongoClient, isOver: () => boolean): Promise<Honest> {
  const rows = client.db('honest').collection<{ _id: number; text: string }>('rows');
  const from = await rows.countDocuments();
  const times: number[] = [];
  let n = from;
  for (; !isOver(); n++) {
    const began = performance.now();
    await rows.insertOne({ _id: n, text: `text ${n}` });
    expect(await rows.findOne({ _id: n })).toEqual({ _id: n, text: `text ${n}` });
    times.push(performance.now() - began);
    await wait(5);
  }
  return { times, from, written: n };
}

async function quietTimes(client: MongoClient): Promise<number[]> {
  let isOver = false;
  const quietly = honest(client, () => isOver);
  await wait(3000);
  isOver = true;
  return (await quietly).times;
}

const percentile = (times: number[]): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length * 0.99)] ?? 0;

describe(`hostile messages (STORE_SEED=${SEED})`, () => {
  test(
    `never end the store, exhaust its memory or stop an honest client, over ${MESSAGES} messages`,
    async () => {
      const client = await MongoClient.connect(store.uri, { maxPoolSize: 2 });
      const resident = async (): Promise<number> =>
        Number((await client.db('d').command({ serverStatus: 1 }))['mem'].resident);
      const messages = await recordedTraffic(store.uri);
      const quiet = percentile(MEASURES ? await quietTimes(client) : [0]);
      await attack({ count: 2000, seed: SEED, messages });
      const before = await resident();
      let isOver = false;
      const beside = honest(client, () => isOver);
      await Promise.all(
        Array.from({ length: CONNECTIONS }, (_, n) =>
          attack({ count: MESSAGES / CONNECTIONS, seed: SEED + n + 1, messages }),
        ),
      );
      isOver = true;
      const { times, from, written } = await beside;
      const after = await resident();
      const p99 = percentile(times);
      console.log(
        JSON.stringify({
          seed: SEED,
          messages: MESSAGES,
          quietMs: Math.round(quiet),
          p99Ms: Math.round(p99),
          longestMs: Math.round(Math.max(...times)),
          honest: written,
          residentMiB: [before, after],
        }),
      );

      expect(store.child.exitCode).toBeNull();
      // At least one turn for every 25 batches of an attacker: the honest client does not wait
      // until the attack ends.
      expect(written - from).toBeGreaterThan(MESSAGES / CONNECTIONS / MESSAGES_AT_ONCE / 25);
      // Measuring a latency needs an otherwise idle machine.
      if (MEASURES) expect(p99).toBeLessThan(Math.min(Math.max(10 * quiet, 100), 1000));
      expect(after).toBeLessThan(before + 100);
      const rows = await client.db('honest').collection('rows').find().sort({ _id: 1 }).toArray();
      expect(rows).toEqual(Array.from({ length: written }, (_, n) => ({ _id: n, text: `text ${n}` })));
      await client.close();
      expect(await endProcess(store, 'SIGTERM')).toBe(0);
      store = await startProcess(folder);
    },
    120_000 + MESSAGES * 5,
  );
});
