import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processIdentity } from './process-identity.ts';

export interface ProcessNote {
  pid: number;
  /** Path of the file when it was written. */
  path: string;
  /** The process is alive, and this file is the original, not a copy. */
  isCurrent: boolean;
}

/**
 * Writes a note to a new file `path`, whose final path is `forPath`. Returns false if the process
 * is dead.
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
 * Returns undefined if the file cannot be opened. A note is a copy if both its inode and its path
 * differ: a moved file keeps its inode, and a restored file system may renumber inodes but keeps
 * the path.
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
