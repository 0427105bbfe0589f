import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Damage } from './damage.ts';

/**
 * The header of every page: its number, the transaction that wrote it, a pad, its kind, and what
 * that kind needs.
 */
export const PAGE_HEADER_BYTES = 24;

const META_BYTES = 144;
const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const META = 8;
/** The most pages that one transaction of lmdb may have reserved without writing them. */
const MAX_UNWRITTEN_PAGES = 1 << 17;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/**
 * Where the fields of a tree's description are: 48 bytes, in the meta pages and in the main tree.
 */
const TREE = {
  pageSize: 0,
  flags: 4,
  depth: 6,
  branches: 8,
  leaves: 16,
  overflows: 24,
  entries: 32,
  root: 40,
};
/** Where the fields of a meta page are, behind its header. */
const AT = { magic: 0, format: 4, free: 24, main: 72, lastPage: 120, transaction: 128 };
/** The order of keys and the form of values in a tree. Both meta pages have the same flags. */
const FLAGS = [AT.free + TREE.flags, AT.main + TREE.flags];

/** What lmdb notes of one of its trees. */
export interface PageTree {
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  /** Undefined for an empty tree. */
  root: number | undefined;
}

/** The state of a data file that its last transaction left. */
export interface Snapshot {
  pageSize: number;
  lastPage: number;
  transaction: number;
  /** Which pages may be written again. */
  free: PageTree;
  /** The named tables. */
  main: PageTree;
}

export interface PageFile extends Snapshot {
  /**
   * The bytes of `count` pages from `page` on, in a buffer of their own; throws Damage when the
   * file ends before.
   */
  read(page: number, count?: number): Buffer;
  close(): void;
}

/** Opens lmdb's data file for reading without lmdb; throws Damage when it does not begin as one. */
export function openPageFile(path: string): PageFile {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const snapshot = readSnapshot(descriptor, size);
    return {
      ...snapshot,
      read: (page, count = 1) => {
        const from = page * snapshot.pageSize;
        const bytes = Buffer.allocUnsafe(count * snapshot.pageSize);
        if (from + bytes.length > size || readSync(descriptor, bytes, 0, bytes.length, from) < bytes.length)
          throw new Damage(`it is cut off before page ${page + count - 1}`);
        return bytes;
      },
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Two pages take turns: each transaction writes its state into the one that is older. Where the two
 * are not of successive transactions, one of them is damaged, and the state it told of is lost.
 */
function readSnapshot(descriptor: number, size: number): Snapshot {
  const first = readMeta(descriptor, 0);
  const pageSize = first?.readUInt32LE(AT.free + TREE.pageSize) ?? 0;
  const isSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  const second = isSize && size >= 2 * pageSize ? readMeta(descriptor, pageSize) : undefined;
  if (!first || !second) throw new Damage('it does not begin as a data file');
  const states = [parseSnapshot(first), parseSnapshot(second)] as const;
  const [left, right] = states;
  const haveSameFlags = FLAGS.every((at) => first.readUInt16LE(at) === second.readUInt16LE(at));
  const isFresh = left.transaction === 0 && right.transaction === 0;
  const areInTurn = left.transaction % 2 === 0 && Math.abs(left.transaction - right.transaction) === 1;
  if (left.pageSize !== right.pageSize || !haveSameFlags || (!isFresh && !areInTurn))
    throw new Damage('its first two pages do not belong together');
  for (const { lastPage } of states)
    if (lastPage > size / pageSize + MAX_UNWRITTEN_PAGES)
      throw new Damage('it ends far before its last page');
  return left.transaction > right.transaction ? left : right;
}

function readMeta(descriptor: number, offset: number): Buffer | undefined {
  const page = Buffer.alloc(PAGE_HEADER_BYTES + META_BYTES);
  if (readSync(descriptor, page, 0, page.length, offset) < page.length) return undefined;
  const meta = page.subarray(PAGE_HEADER_BYTES);
  const isMeta = page.readUInt16LE(18) === META && meta.readUInt32LE(AT.magic) === MAGIC;
  return isMeta && meta.readUInt32LE(AT.format) === FORMAT ? meta : undefined;
}

function parseSnapshot(meta: Buffer): Snapshot {
  return {
    pageSize: meta.readUInt32LE(AT.free + TREE.pageSize),
    lastPage: readSafeInteger(meta, AT.lastPage),
    transaction: readSafeInteger(meta, AT.transaction),
    free: parseTree(meta.subarray(AT.free)),
    main: parseTree(meta.subarray(AT.main)),
  };
}

/** The description of a tree: of the two that every file has, or of a named table. */
export function parseTree(bytes: Buffer): PageTree {
  return {
    depth: bytes.readUInt16LE(TREE.depth),
    branchPages: readSafeInteger(bytes, TREE.branches),
    leafPages: readSafeInteger(bytes, TREE.leaves),
    overflowPages: readSafeInteger(bytes, TREE.overflows),
    entries: readSafeInteger(bytes, TREE.entries),
    root: bytes.readBigUInt64LE(TREE.root) === NO_ROOT ? undefined : readSafeInteger(bytes, TREE.root),
  };
}

/** A number of 64 bits, of which no sound file uses more than 48. */
export function readSafeInteger(bytes: Buffer, offset: number): number {
  if (bytes.readUInt16LE(offset + 6) !== 0) throw new Damage('it has a number that is far too large');
  return bytes.readUIntLE(offset, 6);
}
