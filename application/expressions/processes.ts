import { setTimeout as sleep } from 'node:timers/promises';
import { startExpressionProcess } from './expression-process.ts';
import type { ExpressionProcess } from './expression-process.ts';
import { PROCESS_CPU_SECONDS } from './spawn.ts';

/**
 * A process that has used this much makes room for a fresh one, long before the system would end
 * it.
 */
const MAX_CPU_MS = (PROCESS_CPU_SECONDS / 2) * 1_000;
const PAUSE_AFTER_FAILED_START_MS = 1_000;

/** The processes of a pool: as many as were ever wanted, each lost one replaced. */
export interface Processes {
  /** Has so many run from now on. */
  want: (count: number) => void;
  hasFree: () => boolean;
  /** How many run: free, or taken and not lost. */
  alive: () => number;
  /** Takes one that is free. */
  take: () => ExpressionProcess | undefined;
  /** Gives one back that can go on. */
  release: (process: ExpressionProcess) => void;
  pids: () => number[];
  endAll: () => Promise<void>;
}

interface ProcessesOptions {
  /** Called whenever there may be a free one. */
  freed: () => void;
  /** Told why one could not start: nothing can run while that goes on. */
  cannotStart: (error: unknown) => void;
  start?: () => ExpressionProcess;
}

export function createProcesses({
  freed,
  cannotStart,
  start = startExpressionProcess,
}: ProcessesOptions): Processes {
  const states = new Map<ExpressionProcess, 'starting' | 'free' | 'taken'>();
  const free = () => [...states.keys()].filter((process) => states.get(process) === 'free');
  let wanted = 0;
  let ending = false;

  function want(count: number): void {
    wanted = Math.max(wanted, count);
    while (!ending && states.size < wanted) {
      const process = start();
      states.set(process, 'starting');
      void process.ended.then(() => states.delete(process));
      void superviseProcess(process, { then: release, failed, lost: () => want(0) });
    }
  }

  const failed = (error: unknown) => (ending ? undefined : cannotStart(error));

  function release(process: ExpressionProcess): void {
    if (ending || process.cpuMs() > MAX_CPU_MS) {
      process.end();
      return;
    }
    states.set(process, 'free');
    freed();
  }

  return {
    want,
    hasFree: () => free().length > 0,
    alive: () => [...states.values()].filter((state) => state !== 'starting').length,
    take() {
      const [first] = free();
      if (first) states.set(first, 'taken');
      return first;
    },
    release,
    pids: () => [...states.keys()].flatMap(({ pid }) => pid ?? []),
    async endAll() {
      ending = true;
      await Promise.all([...states.keys()].map(endProcess));
    },
  };
}

async function endProcess(process: ExpressionProcess): Promise<void> {
  process.end();
  await process.ended;
}

// A lost process is replaced at once; one that cannot even start, after a pause.
async function superviseProcess(
  process: ExpressionProcess,
  {
    then,
    failed,
    lost,
  }: {
    then: (process: ExpressionProcess) => void;
    failed: (error: unknown) => void;
    lost: () => void;
  },
): Promise<void> {
  try {
    await process.ready;
    then(process);
    await process.ended;
  } catch (error) {
    failed(error);
    await sleep(PAUSE_AFTER_FAILED_START_MS);
  }
  lost();
}
