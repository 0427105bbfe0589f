import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../process-identity.ts';

const SUFFIX = '.pid';
const GRACE_MS = 3_000;
const POLL_MS = 50;

/** Notes a process in `runDir`, so that the next start finds it should it outlive us. The answer takes the note back. */
export async function recordProcess(
  runDir: string,
  { name, pid }: { name: string; pid: number },
): Promise<() => Promise<void>> {
  const path = join(runDir, `${name}${SUFFIX}`);
  const identity = await processIdentity(pid);
  if (identity === undefined) return () => Promise.resolve();
  await mkdir(runDir, { recursive: true });
  await writeFile(path, identity);
  return () => rm(path, { force: true });
}

/** Ends every process that an earlier, killed `npm start` noted in `runDir` and that still lives. Answers their names. */
export async function endLeftovers(runDir: string): Promise<string[]> {
  const ended: string[] = [];
  for (const file of await readdir(runDir).catch(() => [])) {
    if (!file.endsWith(SUFFIX)) continue;
    const path = join(runDir, file);
    if (await end(await readFile(path, 'utf8'))) ended.push(file.slice(0, -SUFFIX.length));
    await rm(path, { force: true });
  }
  return ended;
}

/** Ends the process of this identity, and no other that has got its number meanwhile. */
async function end(identity: string): Promise<boolean> {
  const pid = Number(identity.split(' ')[0]);
  const lives = async () => (await processIdentity(pid)) === identity;
  if (!(pid > 0) || !(await lives())) return false;
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
    // It ended by itself meanwhile.
  }
}
