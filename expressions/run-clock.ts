import { LIMITS } from './limits.ts';
import { usageOf } from './usage.ts';
import type { Usage } from './usage.ts';

const LOOK_EVERY_MS = 50;

/** Why a run was ended. */
export type Excess = 'time' | 'memory';

/** Watches one run of a process. Time in which it waits for records does not count. */
export interface RunClock {
  /** May be called several times; each is taken back by `resume`. */
  pause: () => void;
  resume: () => void;
  stop: () => void;
}

/**
 * Calls `exceeded`, once, when the run has used a second of processor time, 1.6 by the clock, or
 * too much memory. `before` is what the process had used when the run began.
 */
export function startRunClock(pid: number, before: Usage, exceeded: (excess: Excess) => void): RunClock {
  const watch = stopwatch();
  let stopped = false;
  let timer = setTimeout(look, LOOK_EVERY_MS);

  function look(): void {
    void usageOf(pid).then((now) => {
      const excess = excessOf(watch.elapsedMs(), before, now);
      if (stopped) return;
      if (excess) exceeded(excess);
      else timer = setTimeout(look, LOOK_EVERY_MS);
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

function excessOf(elapsedMs: number, before: Usage, now: Usage | undefined): Excess | undefined {
  const used = now ?? before;
  if (used.residentMiB - before.residentMiB >= LIMITS.residentMiB) return 'memory';
  return elapsedMs >= LIMITS.wallMs || used.cpuMs - before.cpuMs >= LIMITS.cpuMs ? 'time' : undefined;
}

function stopwatch() {
  let total = 0;
  let since = performance.now();
  let pauses = 0;
  return {
    elapsedMs: () => (pauses > 0 ? total : total + performance.now() - since),
    pause() {
      if (pauses++ === 0) total += performance.now() - since;
    },
    resume() {
      if (--pauses === 0) since = performance.now();
    },
  };
}
