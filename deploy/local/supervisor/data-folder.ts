import { chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Lock } from '@parlance/process-lock';
import { readProcessNote, tryLock } from '@parlance/process-lock';
import { StartProblem } from '../start-problem.ts';

export interface DataFolder {
  path: string;
  runDir: string;
  lock: Lock;
}

/** Entries of a data folder. A folder with only other entries may be shared on purpose. */
const OURS = new Set(['run', 'store', 'mongodb', 'temporal', 'auth-secret', 'admin-password']);

/**
 * Creates DATA_DIR, or closes an existing one to other users, and locks it. Throws StartProblem if
 * another process holds the lock or if the folder cannot be closed.
 */
export async function claimDataFolder(path: string): Promise<DataFolder> {
  const runDir = join(path, 'run');
  const lockPath = join(runDir, 'lock');
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await closeToOthers(path);
    const lock = await tryLock(lockPath);
    if (lock) return { path, runDir, lock };
  } catch (error) {
    throw new StartProblem(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
  const holder = await describeHolder(lockPath);
  throw new StartProblem(
    `Parlance is already running on ${path}${holder}; stop it first, or set another DATA_DIR.`,
  );
}

/** Removes the rights of other users from a data folder or an empty folder. */
async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  const entries = await readdir(path);
  const advice = `other users of the machine may read it. Run chmod 700 ${path}, or set another DATA_DIR.`;
  if (entries.length > 0 && !entries.some((name) => OURS.has(name))) throw new Error(advice);
  await chmod(path, 0o700).catch((error: unknown) => {
    throw new Error(`${advice} (${(error as Error).message})`);
  });
}

async function describeHolder(lockPath: string): Promise<string> {
  const note = await readProcessNote(lockPath);
  if (!note) return '';
  const known = dirname(dirname(note.path));
  const isElsewhere = note.path !== '' && known !== (await realpath(dirname(dirname(lockPath))));
  return ` (process ${note.pid}${isElsewhere ? `, which knows the folder as ${known}` : ''})`;
}
