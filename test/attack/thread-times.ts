import { readFileSync, readdirSync } from 'node:fs';

const NS_PER_MS = 1_000_000;
/** The unit of the CPU times in `/proc/<pid>/stat`. */
const MS_PER_TICK = 10;

/** CPU milliseconds by thread. Empty on systems other than Linux. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** Returns the CPU time of each thread of the processes. */
export function readThreadTimes(pids: readonly number[]): ThreadTimes {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of listThreads(pid)) {
      const ms = readThreadTime(`/proc/${pid}/task/${thread}`);
      if (ms !== undefined) times.set(thread, ms);
    }
  }
  return times;
}

/**
 * Returns the CPU milliseconds of the busiest thread since `before`. They grow while a request
 * waits behind other work on an event loop, but not while the machine stalls or runs other
 * processes.
 */
export function busiestMs(before: ThreadTimes, after: ThreadTimes): number {
  const used = [...after].map(([thread, ms]) => ms - (before.get(thread) ?? 0));
  return Math.max(0, ...used);
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

// Not every system has `schedstat`, which counts nanoseconds. A thread may also end during the
// read.
function readThreadTime(folder: string): number | undefined {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;
  } catch {
    return readTicks(folder);
  }
}

function readTicks(folder: string): number | undefined {
  try {
    const text = readFileSync(`${folder}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
