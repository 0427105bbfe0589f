import { chmod, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessNote, tryLock, writeProcessNote } from '@parlance/process-lock';
import type { Lock } from '@parlance/process-lock';
import { StartProblem } from './start-problem.ts';

export interface DataFolder {
  path: string;
  runDir: string;
  lock: Lock;
}

/** Files and folders of Parlance in DATA_DIR. */
const OURS = new Set(['run', 'store', 'mongodb', 'temporal', 'auth-secret', 'admin-password']);

/**
 * Creates DATA_DIR, closes it to other users and locks it. Throws StartProblem if this is not
 * possible.
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

/** Rejects if an open folder has only foreign files: the folder may be shared on purpose. */
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

const SUFFIX = '.pid';
const GRACE_MS = 3_000;
const POLL_MS = 50;

/**
 * Writes a note about a process to `runDir`, for `endLeftovers` of the next start. Returns a
 * function that removes the note.
 */
export async function recordProcess(
  runDir: string,
  { name, pid }: { name: string; pid: number },
): Promise<() => Promise<void>> {
  const path = join(runDir, `${name}${SUFFIX}`);
  await mkdir(runDir, { recursive: true });
  const isNoted = await writeProcessNote(path, { pid });
  return () => (isNoted ? rm(path, { force: true }) : Promise.resolve());
}

/**
 * Ends processes that outlived a killed `npm start`, and returns their names. Removes all notes,
 * but ends nothing for notes copied with the folder.
 */
export async function endLeftovers(runDir: string): Promise<string[]> {
  const ended: string[] = [];
  for (const file of await readdir(runDir).catch(() => [])) {
    if (!file.endsWith(SUFFIX)) continue;
    const path = join(runDir, file);
    if (await endNotedProcess(path)) ended.push(file.slice(0, -SUFFIX.length));
    await rm(path, { force: true });
  }
  return ended;
}

async function endNotedProcess(path: string): Promise<boolean> {
  const note = await readProcessNote(path);
  if (!note?.isCurrent) return false;
  const isAlive = async () => (await readProcessNote(path))?.isCurrent ?? false;
  signal(note.pid, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS && (await isAlive()); waited += POLL_MS) await sleep(POLL_MS);
  if (await isAlive()) signal(note.pid, 'SIGKILL');
  while (await isAlive()) await sleep(POLL_MS);
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has just exited.
  }
}
