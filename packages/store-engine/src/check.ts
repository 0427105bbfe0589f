import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCatalog, isCollectionKey } from './storage/catalog.ts';
import { checkCollection, isIntact } from './storage/check.ts';
import type { Findings } from './storage/check.ts';
import { Damage, DamagedDocument } from './storage/digest.ts';
import { compareDigests, readDataFile } from './storage/data-file.ts';
import { openEnvironment } from './storage/open-environment.ts';
import { StoreError } from './errors.ts';
import type { StoredCollection } from './storage/collection.ts';
import { insertRecord } from './storage/documents.ts';
import type { Environment } from './storage/environment.ts';
import type { Storage } from './storage/storage.ts';

const DOCUMENTS_AT_ONCE = 500;

const MAX_REPORTED = 20;

/**
 * The program `check.js --data-dir DIR`: checks a stopped store. Exits with 1 after any damage.
 * With `--save-to NEW`, also copies the readable documents into the folder NEW.
 */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { 'data-dir': { type: 'string' }, 'save-to': { type: 'string' } },
  });
  const folder = values['data-dir'];
  if (folder === undefined) throw new Error('--data-dir is missing');
  const file = join(folder, 'data.mdb');
  if (!existsSync(file)) throw new Error(`there is no store in ${folder}`);
  const { pages, sums } = findFileFaults(file);
  for (const fault of [...pages, ...sums].slice(0, MAX_REPORTED)) say(`data.mdb: ${fault.message}`);
  // lmdb trusts pages: after damage to a page, do not open the store.
  const isWell = pages.length === 0 && (await checkCollections(folder)) && sums.length === 0;
  if (values['save-to'] !== undefined) await salvage(folder, { to: values['save-to'], say });
  return isWell;
}

interface Faults {
  pages: Damage[];
  /** At most one entry: the first table whose rows do not match the stored digest. */
  sums: Damage[];
}

function findFileFaults(file: string): Faults {
  const faults: Faults = { pages: [], sums: [] };
  collect(faults.pages, () => {
    const { digest, noted } = readDataFile(file, {
      skip: (fault) => {
        // `checkCollections` counts damaged documents.
        if (!(fault instanceof DamagedDocument)) faults.pages.push(fault);
      },
    });
    if (noted) collect(faults.sums, () => compareDigests(digest, noted));
  });
  return faults;
}

function collect(faults: Damage[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    faults.push(error);
  }
}

async function checkCollections(folder: string): Promise<boolean> {
  const environment = await openEnvironment(folder, { unchecked: true });
  try {
    const catalog = openCatalog(environment);
    let sound = true;
    for (const collection of catalog.all()) {
      const findings = checkCollection({ environment, catalog }, collection);
      for (const line of formatFindings(findings)) say(line);
      sound &&= isIntact(findings);
    }
    return sound;
  } finally {
    await environment.close();
  }
}
function formatFindings({ namespace, documents, damaged, indexes }: Findings): string[] {
  const lines = [`${namespace}: ${documents} documents, ${indexes.length} indexes`];
  if (damaged > 0) lines.push(`  ${damaged} documents are damaged`);
  for (const { name, missing, surplus, misdescribed } of indexes) {
    if (missing > 0) lines.push(`  index ${name} lacks ${missing} entries`);
    if (surplus > 0) lines.push(`  index ${name} has ${surplus} entries that no document has`);
    if (misdescribed) lines.push(`  index ${name} lacks the kinds of its values`);
  }
  return lines;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  (sound) => {
    say(sound ? 'all is well' : 'something is wrong');
    process.exit(sound ? 0 : 1);
  },
  (error: unknown) => {
    process.stderr.write(`check: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);

/**
 * Copies the readable documents into a new store in the folder `to`, with all indexes. Throws an
 * Error if `to` is not empty.
 */
async function salvage(
  folder: string,
  { to, say }: { to: string; say: (line: string) => void },
): Promise<void> {
  if (existsSync(to) && readdirSync(to).length > 0) throw new Error(`${to} is not empty`);
  const file = join(folder, 'data.mdb');
  const environment = await openEnvironment(to);
  try {
    copyCatalog(file, environment);
    const copies = copyDocuments(file, { environment, catalog: openCatalog(environment) });
    for (const { collection, saved, refusals } of copies) {
      say(`saved of ${collection.namespace}: ${saved} documents`);
      for (const refusal of refusals) say(`  not saved: ${refusal}`);
    }
  } finally {
    await environment.close();
  }
}

function copyCatalog(file: string, environment: Environment): void {
  const rows: { key: Buffer; value: Buffer }[] = [];
  readDataFile(file, {
    skip: () => undefined,
    visit: (table, key, value) => {
      if (table === 'catalog' && isCollectionKey(key))
        rows.push({ key: Buffer.from(key), value: Buffer.from(value) });
    },
  });
  environment.writeNow(() => {
    for (const { key, value } of rows) environment.put('catalog', key, value);
    openCatalog(environment).skipUsedIds();
  });
}

interface Copy {
  collection: StoredCollection;
  waiting: Buffer[];
  saved: number;
  refusals: string[];
}

function copyDocuments(file: string, target: Storage): Copy[] {
  const copies = new Map<number, Copy>();
  for (const collection of target.catalog.all())
    copies.set(collection.id, { collection, waiting: [], saved: 0, refusals: [] });
  readDataFile(file, {
    skip: () => undefined,
    visit: (table, key, value) => {
      const copy = table === 'records' ? copies.get(key.readUInt32BE()) : undefined;
      if (copy?.waiting.push(Buffer.from(value.subarray(4))) === DOCUMENTS_AT_ONCE) save(target, copy);
    },
  });
  for (const copy of copies.values()) save(target, copy);
  return [...copies.values()];
}

/**
 * Inserts the waiting documents. Lists refused duplicates: damage may bring back an old version of
 * a document.
 */
function save(target: Storage, copy: Copy): void {
  const { collection, refusals } = copy;
  const waiting = copy.waiting.splice(0);
  target.environment.writeNow(() => {
    for (const bytes of waiting) {
      try {
        insertRecord(target, { collection, bytes });
        copy.saved++;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        refusals.push(error.message);
      }
    }
  });
}
