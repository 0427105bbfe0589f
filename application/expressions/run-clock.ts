import { LIMITS } from './protocol.ts';
import { readFile } from 'node:fs/promises';

const POLL_MS = 50;
/**
 * A longer gap between polls means that the parent was stalled. The time above this limit is not
 * counted.
 */
const MAX_STEP_MS = 4 * POLL_MS;

export interface RunLimits {
  cpuMs: number;
  wallMs: number;
}

export type Excess = 'time' | 'memory';

export interface RunClock {
  /** Halts the clock until `resume`. Each `pause` needs one `resume`. */
  pause: () => void;
  resume: () => void;
  stop: () => void;
}

interface RunClockOptions {
  before: Usage;
  exceeded: (excess: Excess) => void;
  limits?: RunLimits | undefined;
}

/** Calls `exceeded` once. */
export function startRunClock(
  pid: number,
  { before, exceeded, limits = LIMITS }: RunClockOptions,
  readUsage = readProcessUsage,
): RunClock {
  const watch = stopwatch();
  let elapsedMs = 0;
  let stopped = false;
  let timer = setTimeout(pollUsage, POLL_MS);

  function pollUsage(): void {
    elapsedMs += Math.min(watch.lapMs(), MAX_STEP_MS);
    void readUsage(pid).then((now) => {
      const excess = findExcess({ elapsedMs, before, now: now ?? assumeBusy(before, elapsedMs) }, limits);
      if (stopped) return;
      if (excess) exceeded(excess);
      else timer = setTimeout(pollUsage, POLL_MS);
    });
  }

  return {
    pause: () => watch.pause(),
    resume: () => watch.resume(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Counts the elapsed time as CPU time. For systems without /proc. */
function assumeBusy(before: Usage, elapsedMs: number): Usage {
  return { ...before, cpuMs: before.cpuMs + elapsedMs };
}

function findExcess(
  { elapsedMs, before, now }: { elapsedMs: number; before: Usage; now: Usage },
  limits: RunLimits,
): Excess | undefined {
  if (now.residentMiB - before.residentMiB >= LIMITS.residentMiB) return 'memory';
  return elapsedMs >= limits.wallMs || now.cpuMs - before.cpuMs >= limits.cpuMs ? 'time' : undefined;
}

function stopwatch() {
  let total = 0;
  let since = performance.now();
  let pauses = 0;
  const addUp = () => {
    const now = performance.now();
    if (pauses === 0) total += now - since;
    since = now;
  };
  return {
    lapMs() {
      addUp();
      const lap = total;
      total = 0;
      return lap;
    },
    pause() {
      addUp();
      pauses += 1;
    },
    resume() {
      addUp();
      pauses -= 1;
    },
  };
}

export interface Usage {
  cpuMs: number;
  residentMiB: number;
}

const TICK_MS = 10;
const RESIDENT = /^VmRSS:\s+(\d+) kB/m;

/** Returns undefined without /proc, or for an ended process. */
export async function readProcessUsage(pid: number): Promise<Usage | undefined> {
  try {
    const [times, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    // The program's name, in parentheses, may contain any character.
    const fields = times.slice(times.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { cpuMs: ticks * TICK_MS, residentMiB: Number(RESIDENT.exec(status)?.[1] ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}
