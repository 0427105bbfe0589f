import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Lock } from '@parlance/process-lock';
import { readProcessNote, tryLock } from '@parlance/process-lock';
import { StartProblem } from '../start-problem.ts';

export interface DataFolder {
  path: string;
  /** Where notes on running processes are. */
  runDir: string;
  lock: Lock;
}

/**
 * Makes DATA_DIR, readable by this user alone, and takes it for this process. A StartProblem if
 * another has it.
 */
export async function claimDataFolder(path: string): Promise<DataFolder> {
  const runDir = join(path, 'run');
  const lockPath = join(runDir, 'lock');
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lock = await tryLock(lockPath);
    if (lock) return { path, runDir, lock };
  } catch (error) {
    throw new StartProblem(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
  const holder = await holderOf(lockPath);
  throw new StartProblem(
    `Parlance is already running on ${path}${holder}; stop it first, or set another DATA_DIR.`,
  );
}

/**
 * Which process has the folder, and by what name it knows it, should it have been moved or be
 * reached in two ways.
 */
async function holderOf(lockPath: string): Promise<string> {
  const note = await readProcessNote(lockPath);
  if (!note) return '';
  const known = dirname(dirname(note.path));
  const isElsewhere = note.path !== '' && known !== (await realpath(dirname(dirname(lockPath))));
  return ` (process ${note.pid}${isElsewhere ? `, which knows the folder as ${known}` : ''})`;
}
