import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processIdentity } from './process-identity.ts';

/** What a file says of the process that it is about. */
export interface ProcessNote {
  pid: number;
  /** Where the file was when it was written. */
  path: string;
  /** The process lives, and the file is the one that was written, not a copy of it elsewhere. */
  isCurrent: boolean;
}

/**
 * Notes a process in a new file `path`. `forPath` is where the file will be found. Answers false
 * when there is no such process.
 */
export async function writeProcessNote(
  path: string,
  { pid, forPath = path }: { pid: number; forPath?: string },
): Promise<boolean> {
  const identity = await processIdentity(pid);
  if (identity === undefined) return false;
  const file = await open(path, 'w');
  try {
    const { ino } = await file.stat({ bigint: true });
    await file.writeFile([identity, ino, await resolveFolder(forPath)].join('\n'));
    return true;
  } finally {
    await file.close();
  }
}

/**
 * Reads a note; undefined when there is none. The note in a copied folder speaks of a process that
 * has nothing to do with the copy: it is another file in another place. (Moved, it is the same
 * file; and where a file system numbers its files anew, it is in the same place.)
 */
export async function readProcessNote(path: string): Promise<ProcessNote | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const [identity = '', number = '', written = ''] = (await file.readFile('utf8')).split('\n');
    const { ino } = await file.stat({ bigint: true });
    const pid = Number(identity.split(' ')[0]);
    const isCopy = number !== '' && number !== String(ino) && written !== (await resolveFolder(path));
    return { pid, path: written, isCurrent: !isCopy && (await isAlive(pid, identity)) };
  } finally {
    await file.close();
  }
}

async function isAlive(pid: number, identity: string): Promise<boolean> {
  return Number.isInteger(pid) && pid > 0 && (await processIdentity(pid)) === identity;
}

async function resolveFolder(path: string): Promise<string> {
  return join(await realpath(dirname(path)), basename(path));
}
