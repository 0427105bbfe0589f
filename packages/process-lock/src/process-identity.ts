import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the id, start time and boot id of a running process, or undefined. The id alone is not
 * enough, because systems reuse ids.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (pid <= 0 || !isAlive(pid)) return undefined;
  const began = process.platform === 'linux' ? await beganOnLinux(pid) : await beganByPs(pid);
  return began === undefined ? undefined : `${pid} ${began}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Fields 3 (state) and 22 (start, in ticks since boot) of /proc/PID/stat. The process name before
 * them may contain any character.
 */
async function beganOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie is dead; its parent has not collected it yet.
  if (fields[0] === 'Z' || fields[19] === undefined) return undefined;
  return `${fields[19]} ${await bootOnLinux()}`;
}

/** Start times repeat on a machine that always boots alike. */
async function bootOnLinux(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return id.trim();
}

async function beganByPs(pid: number): Promise<string | undefined> {
  const listed = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return listed?.stdout.trim() || undefined;
}
