import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Damage, UnknownFormat } from './digest.ts';

export const PAGE_HEADER_BYTES = 24;

const META_BYTES = 144;
const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const META = 8;
const MIN_PAGE = 512;
const MAX_PAGE = 65_536;
/** Maximum number of pages that one lmdb transaction may reserve without writing them. */
const MAX_UNWRITTEN_PAGES = 1 << 17;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/** Offsets in the description of a tree. */
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

/** Offsets in a meta page, after its header. */
const AT = { magic: 0, format: 4, free: 24, main: 72, lastPage: 120, transaction: 128 };
/** Offsets of the flags for key order and value format. The flags are equal in both meta pages. */
const FLAGS = [AT.free + TREE.flags, AT.main + TREE.flags];

export interface PageTree {
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  /** Undefined for an empty tree. */
  root: number | undefined;
}

export interface Snapshot {
  pageSize: number;
  lastPage: number;
  transaction: number;
  free: PageTree;
  main: PageTree;
}

interface PageFile extends Snapshot {
  /** Throws Damage at the end of the file. */
  read(page: number, count?: number): Buffer;
  close(): void;
}

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
 * Returns the newer state. Each transaction overwrites the older of the two meta pages. Throws
 * Damage if the transactions of the pages are not consecutive, because then one page is damaged.
 */
function readSnapshot(descriptor: number, size: number): Snapshot {
  assertKnownFormat(descriptor, size);
  const first = readMeta(descriptor, 0);
  const pageSize = first?.readUInt32LE(AT.free + TREE.pageSize) ?? 0;
  const isSize = pageSize >= MIN_PAGE && pageSize <= MAX_PAGE && (pageSize & (pageSize - 1)) === 0;
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

/**
 * Throws UnknownFormat if both meta pages have the same other format. Another format in only one
 * of them is damage.
 */
function assertKnownFormat(descriptor: number, size: number): void {
  const format = readFormat(descriptor, 0);
  if (format === undefined || format === FORMAT) return;
  // Another format may keep its page size elsewhere.
  for (let pageSize = MIN_PAGE; pageSize <= MAX_PAGE && 2 * pageSize <= size; pageSize *= 2)
    if (readFormat(descriptor, pageSize) === format)
      throw new UnknownFormat(`its format is ${format}, and this version of lmdb reads format ${FORMAT}`);
}

function readFormat(descriptor: number, offset: number): number | undefined {
  return readAnyMeta(descriptor, offset)?.readUInt32LE(AT.format);
}

function readMeta(descriptor: number, offset: number): Buffer | undefined {
  const meta = readAnyMeta(descriptor, offset);
  return meta?.readUInt32LE(AT.format) === FORMAT ? meta : undefined;
}

/** Returns a meta page of any format, or undefined for another page. */
function readAnyMeta(descriptor: number, offset: number): Buffer | undefined {
  const page = Buffer.alloc(PAGE_HEADER_BYTES + META_BYTES);
  if (readSync(descriptor, page, 0, page.length, offset) < page.length) return undefined;
  const meta = page.subarray(PAGE_HEADER_BYTES);
  return page.readUInt16LE(18) === META && meta.readUInt32LE(AT.magic) === MAGIC ? meta : undefined;
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

/** Throws Damage above 48 bits, which no intact file needs. */
export function readSafeInteger(bytes: Buffer, offset: number): number {
  if (bytes.readUInt16LE(offset + 6) !== 0) throw new Damage('it has a number that is far too large');
  return bytes.readUIntLE(offset, 6);
}

const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const NODE_HEADER_BYTES = 8;
const IS_LARGE = 1;
/** The value describes a named table. */
const IS_TREE = 2;
const REFERENCE_BYTES = 24;
/** Far deeper than the tree of any real store. */
const MAX_DEPTH = 32;

export interface PageWalk {
  file: PageFile;
  /** One bit per page, set if a tree or the free list contains the page. */
  used: Uint8Array;
  skip?: (damage: Damage) => void;
}

interface TreeVisit {
  tree: PageTree;
  compare: (left: Buffer, right: Buffer) => number;
  visit: (key: Buffer, value: Buffer) => void;
}

interface State extends PageWalk, TreeVisit {
  /** The last key of the previous leaf. */
  last: Buffer | undefined;
  /** The lower bound of the next key, from the separator before it. */
  least: Buffer | undefined;
  seen: Omit<PageTree, 'depth' | 'root'>;
}

/**
 * Throws Damage, or calls `skip`, unless page numbers, key order, separators and counts are correct
 * and each page is used once.
 */
export function walkTree(walk: PageWalk, wanted: TreeVisit): void {
  const { tree } = wanted;
  const seen = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
  const state: State = { ...walk, ...wanted, last: undefined, least: undefined, seen };
  if (tree.depth > MAX_DEPTH) throw new Damage('it has a tree that is far too deep');
  try {
    if (tree.root !== undefined) visitPage(state, tree.root, tree.depth);
  } catch (error) {
    handle(state, error);
  }
  const isWhole =
    seen.entries === tree.entries &&
    seen.branchPages === tree.branchPages &&
    seen.leafPages === tree.leafPages &&
    seen.overflowPages === tree.overflowPages;
  if (!isWhole) handle(state, new Damage('a tree has more or less than was noted of it'));
}

/**
 * Passes damage to `skip`, or throws. An offset or a length outside its page (RangeError) is
 * damage.
 */
function handle({ skip }: PageWalk, error: unknown): void {
  const damage = error instanceof RangeError ? new Damage(`a page is malformed (${error.message})`) : error;
  if (!(damage instanceof Damage) || !skip) throw damage;
  skip(damage);
}

function visitPage(state: State, page: number, depth: number): void {
  const bytes = readPage(state, page);
  const kind = depth === 1 ? LEAF : BRANCH;
  if (depth < 1 || bytes.readUInt16LE(18) !== kind) throw wrongPageError(page);
  const offsets = readNodeOffsets(bytes, page);
  if (kind === LEAF) visitLeaf(state, { page, bytes, offsets });
  else visitBranch(state, { page, bytes, offsets }, depth);
}

function readPage({ file, used }: PageWalk, page: number): Buffer {
  markUsed({ file, used }, page);
  const bytes = file.read(page);
  if (readSafeInteger(bytes, 0) !== page || readSafeInteger(bytes, 8) > file.transaction)
    throw wrongPageError(page);
  return bytes;
}

export function markUsed({ file, used }: PageWalk, page: number): void {
  if (!(page >= 2 && page <= file.lastPage))
    throw new Damage(`it points to a page ${page} that it cannot have`);
  const bit = 1 << (page & 7);
  const byte = used[page >> 3] ?? 0;
  if (byte & bit) throw new Damage(`its page ${page} is used twice`);
  used[page >> 3] = byte | bit;
}

function wrongPageError(page: number): Damage {
  return new Damage(`its page ${page} is not what was written`);
}

function readNodeOffsets(bytes: Buffer, page: number): number[] {
  const lower = bytes.readUInt16LE(20);
  const upper = bytes.readUInt16LE(22) + PAGE_HEADER_BYTES;
  if (lower % 2 !== 0 || lower === 0 || PAGE_HEADER_BYTES + lower > upper || upper > bytes.length)
    throw wrongPageError(page);
  const offsets: number[] = [];
  for (let at = 0; at < lower; at += 2) {
    const offset = bytes.readUInt16LE(PAGE_HEADER_BYTES + at) + PAGE_HEADER_BYTES;
    if (offset < upper || offset + NODE_HEADER_BYTES > bytes.length) throw wrongPageError(page);
    offsets.push(offset);
  }
  return offsets;
}

interface Page {
  page: number;
  bytes: Buffer;
  offsets: readonly number[];
}

function keyAt({ page, bytes }: Page, offset: number): Buffer {
  const start = offset + NODE_HEADER_BYTES;
  const end = start + bytes.readUInt16LE(offset + 6);
  if (end > bytes.length) throw wrongPageError(page);
  return bytes.subarray(start, end);
}

function visitBranch(state: State, page: Page, depth: number): void {
  state.seen.branchPages++;
  for (const [at, offset] of page.offsets.entries()) {
    try {
      // The first node of a branch has no separator: it contains all keys before the second node.
      if (at > 0) passSeparator(state, keyAt(page, offset));
      const child = page.bytes.readUIntLE(offset, 6);
      visitPage(state, child, depth - 1);
    } catch (error) {
      handle(state, error);
    }
  }
}

/** Throws if an earlier key is not smaller than the separator. `visitLeaf` checks the next key. */
function passSeparator(state: State, key: Buffer): void {
  if (state.last && state.compare(state.last, key) >= 0) throw keyOrderError();
  state.least = Buffer.from(key);
}

function keyOrderError(): Damage {
  return new Damage('its keys are out of order');
}

function visitLeaf(state: State, page: Page): void {
  state.seen.leafPages++;
  let { last } = state;
  for (const offset of page.offsets) {
    const key = keyAt(page, offset);
    const isBehind = !last || state.compare(last, key) < 0;
    if (!isBehind || (state.least && state.compare(state.least, key) > 0)) throw keyOrderError();
    state.least = undefined;
    last = key;
    state.seen.entries++;
    state.visit(key, valueAt(state, { page, offset, start: offset + NODE_HEADER_BYTES + key.length }));
  }
  // Copy the key, so that it does not keep the whole page in memory.
  state.last = last && Buffer.from(last);
}

interface Node {
  page: Page;
  offset: number;
  start: number;
}

function valueAt(state: State, { page: { page, bytes }, offset, start }: Node): Buffer {
  const size = bytes.readUInt32LE(offset);
  const flags = bytes.readUInt16LE(offset + 4);
  const end = start + (flags & IS_LARGE ? REFERENCE_BYTES : size);
  if (flags & ~(IS_LARGE | IS_TREE) || end > bytes.length) throw wrongPageError(page);
  return flags & IS_LARGE
    ? largeValue(state, { reference: bytes.subarray(start, end), size })
    : bytes.subarray(start, end);
}

/** Reads a value from separate pages, of which only the first has a header. */
function largeValue(state: State, { reference, size }: { reference: Buffer; size: number }): Buffer {
  const { file } = state;
  const first = readSafeInteger(reference, 0);
  const count = Math.floor((PAGE_HEADER_BYTES - 1 + size) / file.pageSize) + 1;
  if (readSafeInteger(reference, 16) !== count || first + count - 1 > file.lastPage)
    throw wrongPageError(first);
  for (let at = 0; at < count; at++) markUsed(state, first + at);
  const bytes = file.read(first, count);
  const isRight =
    readSafeInteger(bytes, 0) === first &&
    readSafeInteger(bytes, 8) === readSafeInteger(reference, 8) &&
    bytes.readUInt16LE(18) === OVERFLOW &&
    bytes.readUInt32LE(20) === count;
  if (!isRight) throw wrongPageError(first);
  state.seen.overflowPages += count;
  return bytes.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + size);
}
