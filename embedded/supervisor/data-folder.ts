import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from '../lock.ts';
import type { Lock } from '../lock.ts';
import { StartProblem } from '../start-problem.ts';

export interface DataFolder {
  path: string;
  /** Where notes on running processes are. */
  runDir: string;
  lock: Lock;
}

/** Makes DATA_DIR, readable by this user alone, and takes it for this process. A StartProblem if another has it. */
export async function claimDataFolder(path: string): Promise<DataFolder> {
  const runDir = join(path, 'run');
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lock = await tryLock(join(runDir, 'lock'));
    if (lock) return { path, runDir, lock };
  } catch (error) {
    throw new StartProblem(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
  throw new StartProblem(`Parlance is already running on ${path}; stop it first, or set another DATA_DIR.`);
}
