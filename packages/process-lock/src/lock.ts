import { createHash } from 'node:crypto';
import { link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readProcessNote, writeProcessNote } from './process-note.ts';

/** Lock that this process holds until release or exit. */
export interface Lock {
  release: () => Promise<void>;
}

/**
 * Takes the lock file `path`. Returns undefined while a living process holds it. Takes over the
 * lock of a dead process, and a lock that was copied with its folder.
 */
export async function tryLock(path: string): Promise<Lock | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeProcessNote(mine, { pid: process.pid, forPath: path });
  try {
    const taken = (await tryCreateLock(path, mine)) || (await takeOver(path, mine));
    return taken ? { release: () => rm(path, { force: true }) } : undefined;
  } finally {
    await rm(mine, { force: true });
  }
}

/** Links a finished file, so that the lock appears with its content in one step. */
async function tryCreateLock(path: string, mine: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces the lock of a dead process. Only one process can: it first takes a second lock, named
 * after the content of the dead lock.
 */
async function takeOver(path: string, mine: string): Promise<boolean> {
  const dead = await readContent(path);
  if (dead === undefined) return tryCreateLock(path, mine);
  if ((await readProcessNote(path))?.isCurrent) return false;
  const name = createHash('sha256').update(dead).digest('hex').slice(0, 16);
  const right = await tryLock(`${path}.${name}`);
  if (right === undefined) return false;
  try {
    if ((await readContent(path)) !== dead) return false;
    await rename(mine, path);
    return true;
  } finally {
    await right.release();
  }
}

async function readContent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
