import { link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readProcessNote, writeProcessNote } from './process-note.ts';

/** A lock that this process holds until it releases it or dies. */
export interface Lock {
  release: () => Promise<void>;
}

/**
 * Takes the lock file `path`, or answers undefined when a living process holds it
 * (`readProcessNote` tells which). The lock of a dead process, however it died, is taken over at
 * once, and so is one that was copied with its folder.
 */
export async function tryLock(path: string): Promise<Lock | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeProcessNote(mine, { pid: process.pid, forPath: path });
  try {
    if (await take(path, mine)) return { release: () => rm(path, { force: true }) };
    const holder = await readFile(path, 'utf8').catch(() => '');
    if ((await readProcessNote(path))?.isCurrent) return undefined;
    await discard(path, holder);
    return (await take(path, mine)) ? { release: () => rm(path, { force: true }) } : undefined;
  } finally {
    await rm(mine, { force: true });
  }
}

/**
 * Linking a finished file puts the lock there with its content in one step, or fails if there is
 * one.
 */
async function take(path: string, mine: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Of two that find the same lock stale, the slower must not throw away the lock the faster has
 * taken meanwhile.
 */
async function discard(path: string, holder: string): Promise<void> {
  const aside = `${path}.stale.${process.pid}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== holder) await link(aside, path).catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
