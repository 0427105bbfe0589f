import { crc32 } from 'node:zlib';
import { Damage, DamagedDocument, TABLES, addRow, decodeDigest, emptyDigest } from './digest.ts';
import type { Digest, TableName } from './digest.ts';
import type { PageTree, PageWalk } from './page-file.ts';
import { openPageFile, parseTree, readSafeInteger, markUsed, walkTree } from './page-file.ts';

/** What a reader of a whole data file is given. */
export interface DataFileVisitor {
  /**
   * Called for every row of the store's own tables, in the order of keys; what it is given is valid
   * during the call only.
   */
  visit?: (table: TableName, key: Buffer, value: Buffer) => void;
  /** What to do with damage: absent, the first ends the reading. */
  skip?: (damage: Damage) => void;
}

export interface Content {
  /** What the rows come to. */
  digest: Digest;
  /** The digest that the last transaction stored; undefined where the row is missing. */
  noted: Digest | undefined;
}

/**
 * Reads the whole data file without lmdb, which trusts its pages, and throws Damage at what is
 * wrong: a page, the order of keys, a page that is used and would be written again, a document that
 * has not its checksum. What the rows come to is for the caller to compare.
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
 * Throws Damage unless the whole data file is what was written, as far as it says what that was. A
 * document alone that is not is reported: whoever reads it is refused, and the others are right.
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

/** Throws Damage where rows are missing, or others than were written. */
export function compareDigests(digest: Digest, noted: Digest): void {
  for (const table of TABLES) {
    const [is, was] = [digest[table], noted[table]];
    if (is.rows === was.rows && is.hash === was.hash) continue;
    throw new Damage(
      `its ${TABLE_LABELS[table]} are not those that were written (${is.rows} of ${was.rows} are there)`,
    );
  }
}

const compareBytes = (left: Buffer, right: Buffer): number => left.compare(right);

/** The named tables by name. */
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

/** Pages that are listed as free are written again: none of them may be in use, or listed twice. */
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
 * A list of free pages: how many words follow; of these each is a page, or the negative length of a
 * run and then its first page, or 0.
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
