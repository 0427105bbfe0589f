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
import { join } from 'node:path';
import { Damage } from './damage.ts';

const FORMAT = 1;

/** What a data folder is when a store starts on it. */
export type FolderState =
  /** Nothing was ever answered from it. */
  | 'new'
  /** It has data and no marker, as after a backup of the data file alone. */
  | 'unmarked'
  /** It has data, and what its rows come to was noted with them. */
  | 'made';

/**
 * What `folder` is, by its marker: a small file that is there from before the data file is made.
 * Throws Damage where there was a store and its data file is missing or empty. What a start that
 * was cut short has left of a new one is removed.
 */
export function readFolderState(folder: string): FolderState {
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

/**
 * Notes that a store is being made in `folder`, or was made. Flushed: it is there after a power
 * cut.
 */
export function writeMarker(folder: string, state: 'being made' | 'made'): void {
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

/**
 * A marker that cannot be read was one: the rest of the folder has to be as sound as if it said so.
 */
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
