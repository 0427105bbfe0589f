import { crc32 } from 'node:zlib';
import { Damage, DamagedDocument, TABLES, addRow, decodeDigest, emptyDigest } from './digest.ts';
import type { Digest, TableName } from './digest.ts';
import type { PageTree, PageWalk } from './page-file.ts';
import { openPageFile, parseTree, readSafeInteger, markUsed, walkTree } from './page-file.ts';

export interface DataFileVisitor {
  /** Called in key order. Key and value are valid during the call only. */
  visit?: (table: TableName, key: Buffer, value: Buffer) => void;
  /** Without `skip`, the first damage ends the read. */
  skip?: (damage: Damage) => void;
}

export interface Content {
  digest: Digest;
  noted: Digest | undefined;
}

/**
 * Reads the file without lmdb, which trusts its pages. Throws Damage for wrong pages or checksums.
 * The caller compares the digests.
 */
export function readDataFile(path: string, { visit, skip }: DataFileVisitor = {}): Content {
  const file = openPageFile(path);
  try {
    const walk: PageWalk = {
      file,
      used: new Uint8Array((file.lastPage >> 3) + 1),
      ...(skip ? { skip } : {}),
    };
    const trees = findTables(walk);
    const digest = emptyDigest();
    let noted: Digest | undefined;
    for (const [name, tree] of trees) {
      const table = TABLES.find((one) => one === name);
      walkTree(walk, {
        tree,
        compare: compareBytes,
        visit: (key, value) => {
          if (name === 'digest') noted = decodeDigest(value);
          if (!table) return;
          addRow(digest, { table, key, value });
          const fault = table === 'records' ? findFault(key, value) : undefined;
          if (!fault) visit?.(table, key, value);
          else if (skip) skip(fault);
          else throw fault;
        },
      });
    }
    checkFreePages(walk);
    return { digest, noted };
  } finally {
    file.close();
  }
}

/**
 * Reports a document that fails its checksum, because all other documents stay usable. Throws any
 * other Damage.
 */
export function checkDataFile(path: string, report: (fault: DamagedDocument) => void): Content {
  const skip = (fault: Damage): void => {
    if (!(fault instanceof DamagedDocument)) throw fault;
    report(fault);
  };
  const content = readDataFile(path, { skip });
  if (content.noted) compareDigests(content.digest, content.noted);
  return content;
}

const TABLE_LABELS: Record<TableName, string> = {
  records: 'documents',
  entries: 'index entries',
  catalog: 'collections',
};

export function compareDigests(digest: Digest, noted: Digest): void {
  for (const table of TABLES) {
    const [is, was] = [digest[table], noted[table]];
    if (is.rows === was.rows && is.hash === was.hash) continue;
    throw new Damage(
      `its ${TABLE_LABELS[table]} differ from what was written (${is.rows} of ${was.rows} found)`,
    );
  }
}

const compareBytes = (left: Buffer, right: Buffer): number => left.compare(right);

function findTables(walk: PageWalk): Map<string, PageTree> {
  const tables = new Map<string, PageTree>();
  walkTree(walk, {
    tree: walk.file.main,
    compare: compareBytes,
    visit: (key, value) => {
      tables.set(key.toString('latin1').replace(/\0$/, ''), parseTree(value));
    },
  });
  return tables;
}

function findFault(key: Buffer, value: Buffer): DamagedDocument | undefined {
  if (value.length < 4) throw new Damage('a document is cut off');
  if (value.readUInt32LE() === crc32(value.subarray(4))) return undefined;
  return new DamagedDocument(`a document (record ${key.toString('hex')}) is not what was written`);
}

/** Throws Damage for a free page that is in use or listed twice: lmdb overwrites free pages. */
function checkFreePages(walk: PageWalk): void {
  const lists: Buffer[] = [];
  walkTree(walk, {
    tree: walk.file.free,
    compare: (left, right) => readSafeInteger(left, 0) - readSafeInteger(right, 0),
    visit: (_key, value) => lists.push(Buffer.from(value)),
  });
  for (const list of lists) {
    for (const { first, count } of readPageRuns(list))
      for (let at = 0; at < count; at++) markUsed(walk, first + at);
  }
}

/**
 * Parses the number of words, then the words: a positive word is a page, a negative word is the
 * length of a run whose first page follows.
 */
function* readPageRuns(list: Buffer): Generator<{ first: number; count: number }> {
  const wordAt = (at: number): number => {
    if (at * 8 + 8 > list.length) throw new Damage('a list of free pages is cut off');
    return Number(list.readBigInt64LE(at * 8));
  };
  const words = wordAt(0);
  for (let at = 1; at <= words; at++) {
    const word = wordAt(at);
    if (word > 0) yield { first: word, count: 1 };
    else if (word < 0) yield { first: wordAt(++at), count: -word };
  }
}
