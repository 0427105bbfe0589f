import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Environment } from './environment.ts';

const MAGIC = 0xbeefc0de;
const HEADER_BYTES = 24;
const META_BYTES = 160;

/** Where the fields of lmdb's meta page are, behind the page header. */
const AT = { magic: 0, pageSize: 24, lastPage: 120 };

export function damaged(folder: string, how: string): Error {
  return new Error(`The data folder ${folder} is damaged: ${how}`);
}

/**
 * Throws an Error of one line when lmdb's file in `folder` is no lmdb file. Answers true when it is shorter than it says, which is no proof of
 * damage (its last pages may be free ones that were never written): it is then filled up, because lmdb maps the file into memory and
 * reading where nothing is would kill the process, and has to be read through by `readThrough`.
 */
export function isSuspicious(folder: string): boolean {
  const path = join(folder, 'data.mdb');
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return false;
    const first = readMeta(file, 0);
    const pageSize = first?.readUInt32LE(AT.pageSize) ?? 0;
    const second = pageSize > 0 ? readMeta(file, pageSize) : undefined;
    if (!first || !second) throw damaged(folder, 'data.mdb does not begin as a data file');
    const lastPage = Math.max(...[first, second].map((meta) => Number(meta.readBigUInt64LE(AT.lastPage))));
    const wanted = (lastPage + 1) * pageSize;
    if (size < wanted) ftruncateSync(file, wanted);
    return size < wanted;
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, offset: number): Buffer | undefined {
  const page = Buffer.alloc(HEADER_BYTES + META_BYTES);
  if (readSync(file, page, 0, page.length, offset) < page.length) return undefined;
  const meta = page.subarray(HEADER_BYTES);
  return meta.readUInt32LE(AT.magic) === MAGIC ? meta : undefined;
}

/** Reads all that is stored and compares every checksum; throws an Error of one line at the first that is wrong. */
export function readThrough(
  folder: string,
  { records, entries }: Pick<Environment, 'records' | 'entries'>,
): void {
  try {
    for (const { value } of records.getRange({})) {
      if (value.readUInt32LE() !== crc32(value.subarray(4))) throw new Error('a checksum is wrong');
    }
    for (const key of entries.getKeys({})) if (key.length < 10) throw new Error('an index entry is cut off');
  } catch (error) {
    throw damaged(folder, error instanceof Error ? error.message : String(error));
  }
}
