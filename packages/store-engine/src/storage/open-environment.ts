import { join } from 'node:path';
import type { Lock } from '@parlance/process-lock';
import { readProcessNote, tryLock } from '@parlance/process-lock';
import { Damage, DamagedFolder, emptyDigest } from './digest.ts';
import type { Content } from './data-file.ts';
import { checkDataFile } from './data-file.ts';
import type { Ledger } from './ledger.ts';
import { openLedger } from './ledger.ts';
import type { OpenTables } from './tables.ts';
import { claimEnvironment, openTables } from './tables.ts';
import { createWriteQueue } from './write-queue.ts';
import type { Environment } from './environment.ts';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

export interface EnvironmentOptions {
  /** For callers that have checked the folder: lmdb may crash the process on damage. */
  unchecked?: boolean;
}

/**
 * Creates a missing folder. Throws a one-line Error when the folder is in use, and a DamagedFolder
 * when a page or the digest is wrong.
 */
export async function openEnvironment(
  folder: string,
  { unchecked = false }: EnvironmentOptions = {},
): Promise<Environment> {
  const lock = await lockFolder(folder);
  try {
    return openLocked(folder, { lock, unchecked });
  } catch (error) {
    await lock.release();
    throw error instanceof Damage ? new DamagedFolder(folder, error) : error;
  }
}

export async function lockFolder(folder: string): Promise<Lock> {
  const path = join(folder, 'lock');
  const lock = await tryLock(path);
  if (lock) return lock;
  throw folderInUseError(folder, (await readProcessNote(path))?.pid);
}

export function folderInUseError(folder: string, pid: number | undefined): Error {
  return new Error(
    `The data folder ${folder} is in use by another process${pid === undefined ? '' : ` (${pid})`}`,
  );
}

export function openLocked(
  folder: string,
  { lock, unchecked }: { lock: Lock; unchecked: boolean },
): Environment {
  const condition = readFolderState(folder);
  const content = condition === 'new' || unchecked ? undefined : readCheckedContent(folder);
  if (content && !content.noted) throw new Damage('it has no record of its contents');
  if (condition === 'new') writeMarker(folder, 'being made');
  const tables = openTables(folder);
  try {
    const holder = claimEnvironment(tables);
    if (holder !== undefined) throw folderInUseError(folder, holder);
    const isNew = condition === 'new' && !unchecked;
    const ledger = openLedger(tables, isNew ? emptyDigest() : undefined);
    const environment = createEnvironment(tables, { lock, ledger });
    if (isNew) environment.writeNow(() => undefined);
    if (condition !== 'made' && !unchecked) writeMarker(folder, 'made');
    return environment;
  } catch (error) {
    void tables.root.close();
    throw error;
  }
}

export function readCheckedContent(folder: string): Content {
  let damaged = 0;
  const content = checkDataFile(join(folder, 'data.mdb'), () => (damaged += 1));
  if (damaged > 0) {
    process.stderr.write(
      `store: ${damaged} documents in ${folder} are damaged: reading them fails (error 281). Restore a backup, ` +
        `or list them: node packages/store-engine/dist/check.js --data-dir ${folder}\n`,
    );
  }
  return content;
}

export function createEnvironment(
  { root, records, entries, catalog }: OpenTables,
  { lock, ledger }: { lock: Lock; ledger: Ledger },
): Environment {
  const { end, ...queue } = createWriteQueue(root, ledger);
  return {
    ...{ records, entries, catalog },
    ...queue,
    writeNow: (change) =>
      root.transactionSync(() => {
        change();
        ledger.store();
      }),
    put: ledger.put,
    remove: ledger.remove,
    close: async () => {
      await end();
      await root.close();
      await lock.release();
    },
  };
}

const FORMAT = 1;

type FolderState =
  /** No client has received a reply from this store. */
  | 'new'
  /** It has data but no marker, as in a backup of the data file alone. */
  | 'unmarked'
  /** It has data and a stored digest. */
  | 'made';

/**
 * Reads the marker, which is written before the data file. Removes the rest of an interrupted first
 * start. Throws Damage if the data file should exist but is missing or empty.
 */
function readFolderState(folder: string): FolderState {
  const data = join(folder, 'data.mdb');
  const size = existsSync(data) ? statSync(data).size : undefined;
  const marker = readMarker(folder);
  if (marker === 'being made' || (marker === undefined && size === undefined)) {
    for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(folder, name), { force: true });
    return 'new';
  }
  if (size === undefined) throw new Damage('its file data.mdb is missing');
  if (size === 0) throw new Damage('its file data.mdb is empty');
  return marker === 'made' ? 'made' : 'unmarked';
}

function writeMarker(folder: string, state: 'being made' | 'made'): void {
  const path = markerPath(folder);
  writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, state }), { flush: true });
  renameSync(`${path}.new`, path);
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

function markerPath(folder: string): string {
  return join(folder, 'store.json');
}

/** Treats an unreadable marker as 'made', so the data file must be complete. */
function readMarker(folder: string): 'being made' | 'made' | undefined {
  const path = markerPath(folder);
  if (!existsSync(path)) return undefined;
  let marker: { format?: unknown; state?: unknown };
  try {
    marker = JSON.parse(readFileSync(path, 'utf8')) as typeof marker;
  } catch {
    return 'made';
  }
  if (Number(marker.format) > FORMAT) {
    throw new Error(
      `The data folder ${folder} was written by a newer release (format ${String(marker.format)})`,
    );
  }
  return marker.state === 'being made' ? 'being made' : 'made';
}
