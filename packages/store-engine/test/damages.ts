/** A damaged copy of a data file and the kind of its damage. */
export interface Damaged {
  kind: string;
  bytes: Buffer;
}

export interface Original {
  now: Buffer;
  /** An older copy of the file, as on a disk that lost writes. */
  before: Buffer;
}

export const PAGE_BYTES = 4096;
const SECTOR_BYTES = 512;

/** Returns a random integer from 0 to `limit` - 1. */
type Chance = (limit: number) => number;

/** Creates a pseudo-random generator from a seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  };
}

const pageAt = (bytes: Buffer, page: number): Buffer =>
  bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
const anyPage = (bytes: Buffer, chance: Chance): number => chance(bytes.length / PAGE_BYTES);

function flipBits(bytes: Buffer, { chance, count }: { chance: Chance; count: number }): void {
  for (let n = 0; n < count; n++) {
    const at = chance(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << chance(8));
  }
}

/** Overwrites pages with their older content. */
function stale(
  bytes: Buffer,
  { chance, before, count }: { chance: Chance; before: Buffer; count: number },
): void {
  const first = anyPage(before, chance);
  before.subarray(first * PAGE_BYTES, (first + count) * PAGE_BYTES).copy(bytes, first * PAGE_BYTES);
}

/** Each function damages its copy in place or returns another buffer. */
const KINDS: Record<string, (bytes: Buffer, given: { before: Buffer; chance: Chance }) => unknown> = {
  'a bit': (bytes, { chance }) => flipBits(bytes, { chance, count: 1 }),
  'a bit of the first two pages': (bytes, { chance }) =>
    flipBits(bytes.subarray(chance(2) * PAGE_BYTES).subarray(0, 200), { chance, count: 1 }),
  'a bit of a page header': (bytes, { chance }) =>
    flipBits(pageAt(bytes, anyPage(bytes, chance)).subarray(0, 64), { chance, count: 1 }),
  'ten bits': (bytes, { chance }) => flipBits(bytes, { chance, count: 10 }),
  'some bytes': (bytes, { chance }) => {
    const at = chance(bytes.length - 64);
    for (let n = 0; n < 64; n++) bytes[at + n] = chance(256);
  },
  'a page of zeros': (bytes, { chance }) => void pageAt(bytes, anyPage(bytes, chance)).fill(0),
  'a sector of zeros': (bytes, { chance }) => {
    const at = chance(bytes.length / SECTOR_BYTES) * SECTOR_BYTES;
    bytes.fill(0, at, at + SECTOR_BYTES);
  },
  'two pages that changed places': (bytes, { chance }) => {
    const [left, right] = [pageAt(bytes, anyPage(bytes, chance)), pageAt(bytes, anyPage(bytes, chance))];
    const kept = Buffer.from(left);
    right.copy(left);
    kept.copy(right);
  },
  'a page written over another': (bytes, { chance }) =>
    void pageAt(bytes, anyPage(bytes, chance)).copy(pageAt(bytes, anyPage(bytes, chance))),
  'a stale page': (bytes, { chance, before }) => stale(bytes, { chance, before, count: 1 }),
  'stale pages': (bytes, { chance, before }) => stale(bytes, { chance, before, count: 2 + chance(30) }),
  'the first page stale': (bytes, { before }) => void pageAt(before, 0).copy(bytes),
  'the first two pages stale': (bytes, { before }) => void before.copy(bytes, 0, 0, 2 * PAGE_BYTES),
  'cut off': (bytes, { chance }) => bytes.subarray(0, chance(bytes.length)),
  'cut off between pages': (bytes, { chance }) => bytes.subarray(0, anyPage(bytes, chance) * PAGE_BYTES),
  empty: () => Buffer.alloc(0),
  'all zeros': (bytes) => void bytes.fill(0),
  'something behind its end': (bytes) => Buffer.concat([bytes, Buffer.alloc(PAGE_BYTES, 7)]),
};

/** Returns the damaged copy number `n`. The kinds of damage take turns. */
export function damage({ now, before }: Original, { n, chance }: { n: number; chance: Chance }): Damaged {
  const kinds = Object.keys(KINDS);
  const kind = kinds[n % kinds.length]!;
  const copy = Buffer.from(now);
  const other = KINDS[kind]!(copy, { before, chance });
  return { kind, bytes: Buffer.isBuffer(other) ? other : copy };
}
