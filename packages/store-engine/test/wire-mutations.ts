import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Document } from 'mongodb';
import { MongoClient } from 'mongodb';

/** Returns a random integer from 0 to `limit` - 1. */
type Chance = (limit: number) => number;

/** Records the messages of an unmodified driver for the statements of the product. */
export async function recordedTraffic(uri: string): Promise<Buffer[]> {
  const port = Number(new URL(uri).port);
  const messages: Buffer[] = [];
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    let waiting = Buffer.alloc(0);
    client.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
        messages.push(Buffer.from(waiting.subarray(0, waiting.readInt32LE(0))));
        waiting = waiting.subarray(waiting.readInt32LE(0));
      }
    });
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    client.pipe(server).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const client = new MongoClient(`mongodb://127.0.0.1:${(proxy.address() as AddressInfo).port}/`);
  await statements(client);
  await client.close();
  proxy.close();
  return messages;
}

interface WireDocument extends Document {
  _id: string;
  tags: unknown[];
}

/** Sends at least one statement of each kind that the product uses. */
async function statements(client: MongoClient): Promise<void> {
  const rows = client.db('fuzz').collection<WireDocument>('messages');
  await rows.createIndex({ conversation: 1, sequence: 1 }, { unique: true });
  await rows.createIndex({ tags: 1 }, { partialFilterExpression: { tags: { $exists: true } } });
  const row = (n: number) => ({
    ...{
      _id: `m${n}`,
      conversation: `c${n % 3}`,
      sequence: n,
      at: new Date(n),
      tags: ['a', n, null, { b: true }],
    },
    ...{
      text: 'x'.repeat(n * 30),
      deep: { er: { est: [1, [2, [3]]] } },
      pattern: /a.*b/i,
      bytes: Buffer.from('00ff', 'hex'),
    },
  });
  await rows.insertMany([1, 2, 3, 4, 5].map(row));
  await rows
    .find({ conversation: { $in: ['c1', 'c2'] }, sequence: { $gte: 1 } })
    .sort({ sequence: -1 })
    .limit(2)
    .toArray();
  await rows
    .find({ text: { $regex: '^x', $options: 'i' } })
    .project({ text: 1 })
    .batchSize(2)
    .toArray();
  await rows.findOneAndUpdate(
    { _id: 'm1', sequence: 1 },
    { $set: { text: 'y' }, $inc: { n: 1 }, $push: { tags: 'z' } as never },
    { returnDocument: 'after' },
  );
  await rows.updateMany({ 'tags.b': true }, { $pull: { tags: 'a' } as never, $unset: { deep: '' } });
  await rows.bulkWrite([
    {
      replaceOne: {
        filter: { _id: 'm2' },
        replacement: { conversation: 'c9', sequence: 9, tags: [] },
        upsert: true,
      },
    },
    { deleteOne: { filter: { _id: 'm3' } } },
  ]);
  await rows
    .aggregate([
      { $match: { $or: [{ sequence: 4 }, { tags: { $elemMatch: { b: true } } }] } },
      { $group: { _id: '$conversation', n: { $sum: 1 } } },
    ])
    .toArray();
  await rows.countDocuments({ conversation: 'c1' });
  await rows.indexes();
  await client.db('fuzz').admin().listDatabases();
  await client.db('fuzz').command({ hello: 1 });
}

/**
 * Mutates a message. Nine of ten results have a correct length, so that the connection stays open.
 */
export function mutated(messages: readonly Buffer[], chance: Chance): Buffer {
  const any = (): Buffer => messages[chance(messages.length)]!;
  let bytes: Buffer = Buffer.from(any());
  for (let changes = 1 + chance(3); changes > 0; changes--)
    bytes = MUTATIONS[chance(MUTATIONS.length)]!(bytes, { chance, any });
  if (bytes.length >= 4 && chance(10) > 0) bytes.writeInt32LE(bytes.length, 0);
  return bytes;
}

type Mutation = (bytes: Buffer, given: { chance: Chance; any: () => Buffer }) => Buffer;

const KINDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 127, 255];

/** Chooses a position behind the header, where the documents are. */
const place = (bytes: Buffer, chance: Chance): number => 16 + chance(Math.max(1, bytes.length - 16));

const MUTATIONS: readonly Mutation[] = [
  (bytes, { chance }) => changed(bytes, chance(bytes.length), (byte) => byte ^ (1 << chance(8))),
  (bytes, { chance }) => changed(bytes, place(bytes, chance), () => chance(256)),
  (bytes, { chance }) => changed(bytes, place(bytes, chance), () => KINDS[chance(KINDS.length)]!),
  (bytes, { chance }) => bytes.subarray(0, 16 + chance(Math.max(1, bytes.length - 16))),
  (bytes, { chance }) => {
    const at = place(bytes, chance);
    if (at + 4 <= bytes.length)
      bytes.writeInt32LE([0, -1, 2 ** 31 - 1, -(2 ** 31), 5, chance(70_000)][chance(6)]!, at);
    return bytes;
  },
  (bytes, { chance, any }) => {
    const other = any();
    return Buffer.concat([bytes.subarray(0, place(bytes, chance)), other.subarray(place(other, chance))]);
  },
  (bytes, { chance }) => {
    const at = place(bytes, chance);
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(chance(64), chance(256)), bytes.subarray(at)]);
  },
  // Sets flags, such as a checksum (which is missing), more to come, or an unknown flag.
  (bytes, { chance }) => changed(bytes, 16 + chance(4), () => 1 << chance(8)),
  (bytes, { chance }) => {
    if (bytes.length >= 16) bytes.writeInt32LE([2013, 2013, 2004, 2012, 1, 2010][chance(6)]!, 12);
    return bytes;
  },
  (_bytes, { chance }) => nested(1 + chance(400)),
];

function changed(bytes: Buffer, at: number, change: (byte: number) => number): Buffer {
  if (at < bytes.length) bytes[at] = change(bytes[at]!);
  return bytes;
}

/** Builds a find whose filter has `depth` nested documents. */
function nested(depth: number): Buffer {
  let inner: Buffer = Buffer.from([5, 0, 0, 0, 0]);
  for (let level = 0; level < depth; level++)
    inner = documentOf(Buffer.concat([Buffer.from([3, 97, 0]), inner]));
  const find = Buffer.concat([
    Buffer.from([2]),
    Buffer.from('find\0'),
    Buffer.from([9, 0, 0, 0]),
    Buffer.from('messages\0'),
  ]);
  const database = Buffer.concat([
    Buffer.from([2]),
    Buffer.from('$db\0'),
    Buffer.from([5, 0, 0, 0]),
    Buffer.from('fuzz\0'),
  ]);
  const body = documentOf(Buffer.concat([find, Buffer.from([3]), Buffer.from('filter\0'), inner, database]));
  const head = Buffer.alloc(21);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, body]);
}

function documentOf(elements: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32LE(elements.length + 5, 0);
  return Buffer.concat([length, elements, Buffer.alloc(1)]);
}
