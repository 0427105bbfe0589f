import { execFile } from 'node:child_process';
import { open, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Returns the id and start time of a running process, on Linux also the boot id: systems reuse
 * process ids.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (pid <= 0 || !exists(pid)) return undefined;
  const began = process.platform === 'linux' ? await beganOnLinux(pid) : await beganByPs(pid);
  return began === undefined ? undefined : `${pid} ${began}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Reads state (field 3) and start (22) of /proc/PID/stat. Field 2, the process name, may have any
 * characters.
 */
async function beganOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie is dead; its parent has not collected it yet.
  if (fields[0] === 'Z' || fields[19] === undefined) return undefined;
  return `${fields[19]} ${await bootOnLinux()}`;
}

/** Returns the boot id: start times may repeat after a reboot. */
async function bootOnLinux(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return id.trim();
}

async function beganByPs(pid: number): Promise<string | undefined> {
  const listed = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return listed?.stdout.trim() || undefined;
}

export interface ProcessNote {
  pid: number;
  /** Path for which the file was written. */
  path: string;
  /** Whether the process is alive and this file is not a copy. */
  isCurrent: boolean;
}

/** Writes a file that will be moved to `forPath`. Returns false if the process is dead. */
export async function writeProcessNote(
  path: string,
  { pid, forPath = path }: { pid: number; forPath?: string },
): Promise<boolean> {
  const identity = await processIdentity(pid);
  if (identity === undefined) return false;
  const file = await open(path, 'w');
  try {
    const { ino } = await file.stat({ bigint: true });
    await file.writeFile([identity, ino, await resolveFolder(forPath)].join('\n'));
    return true;
  } finally {
    await file.close();
  }
}

/**
 * Returns undefined if the file cannot be opened. A note is a copy if both its inode and its path
 * differ: a moved file keeps its inode, and a restored file system keeps the path.
 */
export async function readProcessNote(path: string): Promise<ProcessNote | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const [identity = '', number = '', written = ''] = (await file.readFile('utf8')).split('\n');
    const { ino } = await file.stat({ bigint: true });
    const pid = Number(identity.split(' ')[0]);
    const isCopy = number !== '' && number !== String(ino) && written !== (await resolveFolder(path));
    return { pid, path: written, isCurrent: !isCopy && (await isAlive(pid, identity)) };
  } finally {
    await file.close();
  }
}

async function isAlive(pid: number, identity: string): Promise<boolean> {
  return Number.isInteger(pid) && pid > 0 && (await processIdentity(pid)) === identity;
}

async function resolveFolder(path: string): Promise<string> {
  return join(await realpath(dirname(path)), basename(path));
}
