import { expect, test } from 'vitest';
import { readRecord, writeRecord } from '../src/storage/records.ts';
import type { Storage } from '../src/storage/storage.ts';

const KEY = Buffer.from([1]);

test("a record is read without the bytes behind it under Node 24, where lmdb's buffer is longer than the record", () => {
  const storage = storageOf((stored) => {
    const larger = Buffer.concat([stored, Buffer.alloc(1000, 7)]);
    // From Node 24 on, `subarray` uses the buffer's memory instead of the `length` that lmdb sets.
    const memory = new Uint8Array(larger.buffer, larger.byteOffset, larger.length);
    Object.defineProperty(larger, 'length', { value: stored.length });
    larger.subarray = (from, to) => Buffer.from(memory.subarray(from, to));
    return larger;
  });
  writeRecord(storage, { key: KEY, bytes: Buffer.from('a document') });
  expect(readRecord(storage, KEY)?.toString()).toBe('a document');
});

/** Creates a storage with one record. A read of the record gets the buffer that `lmdb` returns. */
function storageOf(lmdb: (stored: Buffer) => Buffer): Storage {
  let stored: Buffer = Buffer.alloc(0);
  const records = { getBinaryFast: () => lmdb(stored) };
  const put = (_table: string, _key: Buffer, value: Buffer) => void (stored = value);
  return { environment: { records, put } } as unknown as Storage;
}
