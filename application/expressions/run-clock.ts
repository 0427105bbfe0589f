import { LIMITS } from './protocol.ts';
import { readFile } from 'node:fs/promises';

const POLL_MS = 50;
/**
 * A longer pause between two checks means that this process did not run. The run may not have run
 * either, so the rest of the pause does not count.
 */
const MAX_STEP_MS = 4 * POLL_MS;

/** Limits of one run. */
export interface RunLimits {
  /** Processor time. */
  cpuMs: number;
  /** Time by the clock. */
  wallMs: number;
}

/** Why a run was ended. */
export type Excess = 'time' | 'memory';

/** Watches one run of a process. Time in which it waits for records does not count. */
export interface RunClock {
  /** May be called several times; each is taken back by `resume`. */
  pause: () => void;
  resume: () => void;
  stop: () => void;
}

interface RunClockOptions {
  /** Usage of the process when the run began. */
  before: Usage;
  exceeded: (excess: Excess) => void;
  limits?: RunLimits | undefined;
}

/**
 * Calls `exceeded`, once, when the run has used more than its limits (by default a second of
 * processor time, or 1.6 by the clock) or too much memory.
 */
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
      const excess = findExcess({ elapsedMs, before, now: now ?? before }, limits);
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
    /** Returns the time outside pauses since the last call. */
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
