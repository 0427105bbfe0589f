import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningStore } from '../src/server.ts';
import { startStore } from '../src/server.ts';
import { serveConnection } from '../src/wire/connection.ts';

const SEED = Number(process.env.FC_SEED ?? 1988);

let folder = '';
let store: RunningStore;
let client: MongoClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
  store = await startStore({ dataDir: folder });
  client = await MongoClient.connect(store.uri);
});

afterAll(async () => {
  await client.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns an address of this machine that other machines can reach. */
function outerAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function message(body: object, opCode = 2013): Buffer {
  const document = BSON.serialize(body);
  const head = Buffer.alloc(21);
  head.writeInt32LE(21 + document.length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, document]);
}

/**
 * Sends bytes and resolves when the server replies or closes. With `ends`, the client half-closes,
 * so a server that waits for the rest of a message closes too.
 */
async function exchange(
  bytes: Uint8Array,
  { ends = false }: { ends?: boolean } = {},
): Promise<{ answer: Buffer; closed: boolean }> {
  const socket = connect(store.port, '127.0.0.1');
  await once(socket, 'connect');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.on('error', () => undefined);
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  const answered = new Promise<boolean>((resolve) => socket.once('data', () => resolve(false)));
  if (ends) socket.end(bytes);
  else socket.write(bytes);
  const result = await Promise.race([closed, answered]);
  socket.destroy();
  return { answer: Buffer.concat(parts), closed: result };
}

const FIND = message({ find: 'c', filter: { a: { $gt: 1 } }, $db: 'fuzz' });

const MESSAGES = [
  FIND,
  message({ insert: 'c', documents: [{ a: [1, 'x', new Date(0), { b: null }], r: /a/i }], $db: 'fuzz' }),
  message({ update: 'c', updates: [{ q: { a: 1 }, u: { $push: { a: 2 } }, upsert: true }], $db: 'fuzz' }),
  message({ delete: 'c', deletes: [{ q: { a: { $in: [1, 2] } }, limit: 0 }], $db: 'fuzz' }),
  message({
    aggregate: 'c',
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }],
    cursor: {},
    $db: 'fuzz',
  }),
  message({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a_1' }], $db: 'fuzz' }),
];

describe(`the wire (FC_SEED=${SEED})`, () => {
  test('the server replies to the legacy handshake', async () => {
    const document = BSON.serialize({ isMaster: 1, helloOk: true });
    const head = Buffer.alloc(20);
    head.writeInt32LE(2004, 12);
    const bytes = Buffer.concat([
      head,
      Buffer.from('admin.$cmd\0'),
      Buffer.alloc(4),
      Buffer.from([255, 255, 255, 255]),
      document,
    ]);
    bytes.writeInt32LE(bytes.length, 0);
    const { answer } = await exchange(bytes);
    expect(answer.readInt32LE(12)).toBe(1);
    expect(BSON.deserialize(answer.subarray(36))).toMatchObject({
      ismaster: true,
      ok: 1,
      maxWireVersion: 21,
    });
  });

  test.each([
    [
      'a message whose length is too large',
      Buffer.from([0, 0, 0, 127, 1, 0, 0, 0, 0, 0, 0, 0, 221, 7, 0, 0]),
    ],
    ['a negative length', Buffer.from([255, 255, 255, 255, 1, 0, 0, 0])],
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')],
    ['an unknown operation', message({ ping: 1, $db: 'x' }, 2012)],
    ['the beginning of a TLS handshake', Buffer.from('1603010200010001fc0303aabbccddeeff00', 'hex')],
  ])('the server closes the connection on %s', async (_what, bytes) => {
    expect((await exchange(bytes)).closed).toBe(true);
    expect(await client.db('fuzz').command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  test('the server survives mutated messages', async () => {
    const mutation = fc.constantFrom(...MESSAGES).chain((original) =>
      fc.record({
        original: fc.constant(original),
        changes: fc.array(fc.tuple(fc.nat(original.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        cut: fc.nat(original.length),
      }),
    );
    await fc.assert(
      fc.asyncProperty(mutation, async ({ original, changes, cut }) => {
        const bytes = Buffer.from(original);
        for (const [at, byte] of changes) bytes[at] = byte;
        await exchange(cut % 4 === 0 ? bytes.subarray(0, cut) : bytes, { ends: true });
        expect(await client.db('fuzz').command({ ping: 1 })).toMatchObject({ ok: 1 });
      }),
      { seed: SEED, numRuns: 200 },
    );
    expect(await client.db('fuzz').collection('c').find().toArray()).toBeInstanceOf(Array);
  });

  test.runIf(outerAddress() !== undefined)('the server listens on loopback only', async () => {
    const socket = connect(store.port, outerAddress());
    await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test("the server logs an internal error and hides the error's text from the client", async () => {
    const reported: unknown[] = [];
    const fault = new Error('EACCES: /var/lib/store/data.mdb');
    const server = createServer((socket) => {
      serveConnection(socket, {
        id: 1,
        run: () => Promise.reject(fault),
        report: (error) => void reported.push(error),
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(FIND);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    server.close();
    expect(reported).toEqual([fault]);
    expect(BSON.deserialize(answer.subarray(21))).toEqual({
      ok: 0,
      errmsg: 'Internal error, see the log of the store',
      code: 1,
      codeName: 'InternalError',
    });
  });

  test('the server serves a client while many other connections have sent only part of a message', async () => {
    const sockets = Array.from({ length: 50 }, () => connect(store.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(FIND.subarray(0, 10));
    expect(await client.db('fuzz').command({ ping: 1 })).toMatchObject({ ok: 1 });
    for (const socket of sockets) socket.destroy();
  });

  test('the server refuses a used port with a one-line error', async () => {
    const other = await mkdtemp(join(tmpdir(), 'store-'));
    await expect(startStore({ dataDir: other, port: store.port })).rejects.toThrow(
      `port ${store.port} on 127.0.0.1 is in use`,
    );
    await rm(other, { recursive: true, force: true });
  });
});
