import { readFile } from 'node:fs/promises';

/** What a process has used and holds. */
export interface Usage {
  cpuMs: number;
  residentMiB: number;
}

const TICK_MS = 10;
const RESIDENT = /^VmRSS:\s+(\d+) kB/m;

/**
 * Reads it from the system; undefined where the system does not tell (then the limits by clock and
 * heap hold alone).
 */
export async function readProcessUsage(pid: number): Promise<Usage | undefined> {
  try {
    const [times, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    // The name of the program stands in brackets and may hold anything.
    const fields = times.slice(times.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { cpuMs: ticks * TICK_MS, residentMiB: Number(RESIDENT.exec(status)?.[1] ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}
