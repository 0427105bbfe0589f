import { readFile } from 'node:fs/promises';

/** Frequency of the ticks in which Linux counts CPU time. */
const TICKS_PER_SECOND = 100;
const KB_PER_PAGE = 4;

/**
 * Returns the CPU milliseconds that a process has used so far. Returns null outside Linux and for
 * an ended process.
 */
export async function cpuMsOf(pid: number): Promise<number | null> {
  const fields = await statOf(pid);
  return fields && ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Returns the process ids of the children of a process; an empty list outside Linux. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Returns the CPU milliseconds of several processes, or null if one is unknown. */
export async function cpuMsOfAll(pids: readonly number[]): Promise<number | null> {
  return sumOf(await Promise.all(pids.map(cpuMsOf)));
}

/** Returns the sum, or null if one value is unknown. */
export function sumOf(used: readonly (number | null)[]): number | null {
  return used.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0);
}

/**
 * Returns the memory of a process in MB without mapped files. Returns null outside Linux and for an
 * ended process.
 */
export async function memoryMbOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => null);
  if (text === null) return null;
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return ((resident - shared) * KB_PER_PAGE) / 1024;
}

// The process name in brackets may contain spaces, so fields are counted after the brackets.
async function statOf(pid: number): Promise<string[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}
