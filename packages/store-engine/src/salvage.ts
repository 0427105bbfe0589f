import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './errors.ts';
import type { StoredCollection } from './storage/collection.ts';
import { isCollectionKey, openCatalog } from './storage/catalog.ts';
import { readDataFile } from './storage/data-file.ts';
import { insertRecord } from './storage/documents.ts';
import type { Environment } from './storage/environment.ts';
import { openEnvironment } from './storage/open-environment.ts';
import type { Storage } from './storage/storage.ts';

const DOCUMENTS_AT_ONCE = 500;

/**
 * Copies every document of the store in `folder` that can be read and is what was written into a
 * new store in `to`, with its indexes made anew. The copy is consistent in itself; what it lacks is
 * known only as far as a fault was found. Throws an Error where `to` holds anything.
 */
export async function salvage(
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

/** Collections and indexes keep their numbers, and what is known of the values in an index. */
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
 * A document may be refused where damage brought back one that was replaced: then one of the two is
 * kept.
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
