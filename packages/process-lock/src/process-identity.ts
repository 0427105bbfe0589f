import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Something that tells a living process from every other that ever had its number, on this machine
 * or on another: the number and when it began, in which run of the system. Undefined when there is
 * no such process. A number alone is not enough, as systems (and containers soonest) use numbers
 * again.
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
 * Fields 3 (state) and 22 (start, in ticks since boot) of /proc/PID/stat, counted behind the name,
 * which may hold anything.
 */
async function beganOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie is dead, only not yet collected by its parent.
  if (fields[0] === 'Z' || fields[19] === undefined) return undefined;
  return `${fields[19]} ${await bootOnLinux()}`;
}

/** A machine that always starts alike gives its processes the same numbers at the same ticks. */
async function bootOnLinux(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return id.trim();
}

async function beganByPs(pid: number): Promise<string | undefined> {
  const listed = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return listed?.stdout.trim() || undefined;
}
