import type { Storage } from './storage.ts';
import { crc32 } from 'node:zlib';
import { StoreError } from '../errors.ts';

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

const CHECKSUM_BYTES = 4;

/**
 * Returns bytes that are valid until the next read. Throws DataCorruptionDetected when they do not
 * match their checksum.
 */
export function readRecord(storage: Storage, key: Buffer): Buffer | undefined {
  const stored = storage.environment.records.getBinaryFast(key);
  if (!stored) return undefined;
  // lmdb reads into one large shared buffer. From Node 24 on, a `subarray` without an end would
  // return the whole buffer.
  const bytes = stored.subarray(CHECKSUM_BYTES, stored.length);
  if (stored.readUInt32LE() !== crc32(bytes)) {
    throw new StoreError(
      'DataCorruptionDetected',
      `A stored document is damaged (record ${key.toString('hex')})`,
    );
  }
  return bytes;
}

/** Must run inside a write transaction. */
export function writeRecord(storage: Storage, { key, bytes }: { key: Buffer; bytes: Buffer }): void {
  const stored = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES);
  stored.writeUInt32LE(crc32(bytes));
  bytes.copy(stored, CHECKSUM_BYTES);
  storage.environment.put('records', key, stored);
}
