import { readFile } from 'node:fs/promises';

/** Linux counts in these. */
const TICKS_PER_SECOND = 100;
const KB_PER_PAGE = 4;

/**
 * CPU milliseconds that a process has used so far, or null where the system does not tell (only
 * Linux does).
 */
export async function cpuMsOf(pid: number): Promise<number | null> {
  const fields = await statOf(pid);
  return fields && ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** The processes that a process has started and that live; none where the system does not tell. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** CPU milliseconds of several processes together, or null where it is not known of one. */
export async function cpuMsOfAll(pids: readonly number[]): Promise<number | null> {
  return sumOf(await Promise.all(pids.map(cpuMsOf)));
}

/** Null where one of them is not known. */
export function sumOf(used: readonly (number | null)[]): number | null {
  return used.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0);
}

/**
 * Memory that a process has at the moment, in MB and without pages of files that are only mapped;
 * null where the system does not tell.
 */
export async function memoryMbOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => null);
  if (text === null) return null;
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return ((resident - shared) * KB_PER_PAGE) / 1024;
}

// The name in brackets may hold spaces; the fields after it are counted from the state on.
async function statOf(pid: number): Promise<string[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}
