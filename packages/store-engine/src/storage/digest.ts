import { crc32 } from 'node:zlib';

export const TABLES = ['records', 'entries', 'catalog'] as const;
export type TableName = (typeof TABLES)[number];

/** The number of rows and the sum of their hashes, independent of the order. */
export interface Sum {
  rows: number;
  hash: number;
}

export type Digest = Record<TableName, Sum>;

export function emptyDigest(): Digest {
  return { records: { rows: 0, hash: 0 }, entries: { rows: 0, hash: 0 }, catalog: { rows: 0, hash: 0 } };
}

export function addRow(digest: Digest, { table, key, value }: TableRow): void {
  const sum = digest[table];
  sum.rows += 1;
  sum.hash = (sum.hash + hashRow(table, key, value)) >>> 0;
}

export function subtractRow(digest: Digest, { table, key, value }: TableRow): void {
  const sum = digest[table];
  sum.rows -= 1;
  sum.hash = (sum.hash - hashRow(table, key, value)) >>> 0;
}

export interface TableRow {
  table: TableName;
  key: Buffer;
  value: Buffer;
}

/**
 * Multiplies, because checksums are linear: otherwise two rows could swap parts without a change of
 * the sum.
 */
function hashRow(table: TableName, key: Buffer, value: Buffer): number {
  const content = table === 'records' ? value.readUInt32LE() : value.length > 0 ? crc32(value) : 0;
  const mixed = Math.imul(crc32(key) ^ Math.imul(content, 0x9e3779b1), 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> 0;
}

const SUM_BYTES = 10;

export function encodeDigest(digest: Digest): Buffer {
  const bytes = Buffer.alloc(TABLES.length * SUM_BYTES);
  for (const [at, table] of TABLES.entries()) {
    bytes.writeUIntLE(digest[table].rows, at * SUM_BYTES, 6);
    bytes.writeUInt32LE(digest[table].hash, at * SUM_BYTES + 6);
  }
  return bytes;
}

export function decodeDigest(bytes: Buffer): Digest {
  const digest = emptyDigest();
  for (const [at, table] of TABLES.entries()) {
    digest[table] = {
      rows: bytes.readUIntLE(at * SUM_BYTES, 6),
      hash: bytes.readUInt32LE(at * SUM_BYTES + 6),
    };
  }
  return digest;
}

/** The message follows "is damaged: ". */
export class Damage extends Error {}

export class DamagedDocument extends Damage {}

/** A sound file of another version of lmdb, which this version cannot read. */
export class UnknownFormat extends Damage {}

/** The message is one line with a remedy. Retrying cannot help. */
export class DamagedFolder extends Error {
  constructor(folder: string, damage: Damage) {
    super(damage instanceof UnknownFormat ? describeFormat(folder, damage) : describeDamage(folder, damage));
  }
}

function describeFormat(folder: string, { message }: Damage): string {
  return (
    `The data folder ${folder} is not damaged, but ${message}. Start it with the release of ` +
    'Parlance that has written it, copy the data to a MongoDB there, and from there to this release.'
  );
}

function describeDamage(folder: string, { message }: Damage): string {
  return (
    `The data folder ${folder} is damaged: ${message}. Go back to a backup of it, ` +
    `or see what can be saved: node packages/store-engine/dist/check.js --data-dir ${folder}`
  );
}
