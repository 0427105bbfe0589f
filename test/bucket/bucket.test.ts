import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFileContents } from '../../store/files/contents.ts';
import type { FileContents } from '../../store/files/contents.ts';
import { newId } from '../../store/queries/identifier.ts';
import { startGateway } from './gateway.ts';
import type { Gateway } from './gateway.ts';

const MIB = 1024 * 1024;
const place = 's3' as const;
let gateway: Gateway;
let contents: FileContents;

beforeAll(async () => {
  gateway = await startGateway();
  contents = await createFileContents(gateway.bucket);
});
afterAll(() => gateway.close());

async function* pieces(content: Buffer, error?: Error) {
  for (let at = 0; at < content.length; at += 65_536) {
    yield await Promise.resolve(content.subarray(at, at + 65_536));
  }
  if (error) throw error;
}

test.each([1, 300_000, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 12 * MIB, 16 * MIB])(
  'a content of %i bytes is read whole and in ranges',
  async (bytes) => {
    const [id, content] = [newId(), randomBytes(bytes)];
    await contents.write(id, pieces(content));
    const read = async (first: number, last: number) =>
      buffer(await contents.read({ id, place }, { first, last }));
    expect((await read(0, bytes - 1)).equals(content)).toBe(true);
    const first = Math.floor(bytes / 2);
    expect((await read(first, bytes - 1)).equals(content.subarray(first))).toBe(true);
    expect((await read(0, 0)).equals(content.subarray(0, 1))).toBe(true);
    await contents.remove({ id, place });
    await expect(read(0, 0)).rejects.toThrow();
    await contents.remove({ id, place });
  },
);

test.each([300_000, 12 * MIB])('an upload of %i bytes that breaks off leaves no object', async (bytes) => {
  const id = newId();
  const broken = new Error('broken off');
  await expect(contents.write(id, pieces(randomBytes(bytes), broken))).rejects.toThrow('broken off');
  await contents.remove({ id, place });
  await expect(contents.read({ id, place }, { first: 0, last: 0 })).rejects.toThrow();
});

test('an upload holds at most a few parts in memory', async () => {
  const at = () => {
    globalThis.gc?.();
    return process.memoryUsage().arrayBuffers;
  };
  const before = at();
  let most = 0;
  async function* watched() {
    const piece = randomBytes(65_536);
    for (let sent = 0; sent < 64 * MIB; sent += piece.length) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      yield await Promise.resolve(Buffer.from(piece));
    }
  }
  const id = newId();
  await contents.write(id, watched());
  expect(most).toBeLessThan(64 * MIB);
  await contents.remove({ id, place });
});

test('a wrong secret is an error', async () => {
  const other = await createFileContents({ ...gateway.bucket, secretAccessKey: 'wrong' });
  await expect(other.write(newId(), pieces(randomBytes(10)))).rejects.toThrow();
});

test('files of the bucket cannot be read without its settings', async () => {
  const none = await createFileContents(undefined);
  await expect(none.read({ id: newId(), place }, { first: 0, last: 0 })).rejects.toThrow('FILES_S3_BUCKET');
});
