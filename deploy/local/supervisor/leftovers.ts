import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessNote, writeProcessNote } from '@parlance/process-lock';

const SUFFIX = '.pid';
const GRACE_MS = 3_000;
const POLL_MS = 50;

/**
 * Writes a note about a process to `runDir`, so that the next start can end a process that outlived
 * its supervisor. Returns a function that removes the note.
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
 * Ends the processes that a killed `npm start` noted in `runDir` and returns their names. Ignores
 * notes that were copied with another folder.
 */
export async function endLeftovers(runDir: string): Promise<string[]> {
  const ended: string[] = [];
  for (const file of await readdir(runDir).catch(() => [])) {
    if (!file.endsWith(SUFFIX)) continue;
    const path = join(runDir, file);
    if (await end(path)) ended.push(file.slice(0, -SUFFIX.length));
    await rm(path, { force: true });
  }
  return ended;
}

async function end(path: string): Promise<boolean> {
  const pid = (await readProcessNote(path))?.pid ?? 0;
  const lives = async () => (await readProcessNote(path))?.isCurrent ?? false;
  if (!(await lives())) return false;
  signal(pid, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS && (await lives()); waited += POLL_MS) await sleep(POLL_MS);
  if (await lives()) signal(pid, 'SIGKILL');
  while (await lives()) await sleep(POLL_MS);
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited by itself.
  }
}
