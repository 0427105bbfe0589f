import { expect, test } from 'vitest';
import { readRecord, writeRecord } from '../src/storage/records.ts';
import type { Storage } from '../src/storage/storage.ts';

const KEY = Buffer.from([1]);

test('a record is read whole and alone under Node 24, where lmdb hands out a longer buffer than it says', () => {
  const storage = storageOf((stored) => {
    const larger = Buffer.concat([stored, Buffer.alloc(1000, 7)]);
    // From Node 24 on, `subarray` goes by the memory of the buffer and not by the length that lmdb
    // gives it.
    const memory = new Uint8Array(larger.buffer, larger.byteOffset, larger.length);
    Object.defineProperty(larger, 'length', { value: stored.length });
    larger.subarray = (from, to) => Buffer.from(memory.subarray(from, to));
    return larger;
  });
  writeRecord(storage, { key: KEY, bytes: Buffer.from('a document') });
  expect(readRecord(storage, KEY)?.toString()).toBe('a document');
});

/** A storage of one record, which `lmdb` hands out. */
function storageOf(lmdb: (stored: Buffer) => Buffer): Storage {
  let stored: Buffer = Buffer.alloc(0);
  const records = { getBinaryFast: () => lmdb(stored) };
  const put = (_table: string, _key: Buffer, value: Buffer) => void (stored = value);
  return { environment: { records, put } } as unknown as Storage;
}
