import { setTimeout as sleep } from 'node:timers/promises';
import { startExpressionProcess } from './expression-process.ts';
import type { ExpressionProcess } from './expression-process.ts';
import { PROCESS_CPU_SECONDS } from './spawn.ts';

/** A process that has used this much makes room for a fresh one, long before the system would end it. */
const MOST_CPU_MS = (PROCESS_CPU_SECONDS / 2) * 1_000;
const PAUSE_AFTER_FAILED_START_MS = 1_000;

/** The processes of a pool: as many as it may have, each lost one replaced. */
export interface Processes {
  /** Starts those that are missing. */
  complete: () => void;
  hasFree: () => boolean;
  /** Takes one that is free. */
  take: () => ExpressionProcess | undefined;
  /** Gives one back that can go on. */
  giveBack: (process: ExpressionProcess) => void;
  pids: () => number[];
  endAll: () => Promise<void>;
}

interface Options {
  /** Called whenever there may be a free one. */
  freed: () => void;
  /** Told why one could not start: nothing can run while that goes on. */
  cannotStart: (error: unknown) => void;
  start?: () => ExpressionProcess;
}

export function createProcesses(
  size: number,
  { freed, cannotStart, start = startExpressionProcess }: Options,
): Processes {
  const alive = new Set<ExpressionProcess>();
  const free = new Set<ExpressionProcess>();
  let ending = false;

  function complete(): void {
    while (!ending && alive.size < size) add(start());
  }

  function add(process: ExpressionProcess): void {
    alive.add(process);
    void process.ended.then(() => {
      alive.delete(process);
      free.delete(process);
    });
    void whenReady(process, { then: giveBack, failed, lost: complete });
  }

  const failed = (error: unknown) => (ending ? undefined : cannotStart(error));

  function giveBack(process: ExpressionProcess): void {
    if (ending || process.cpuMs() > MOST_CPU_MS) {
      process.end();
      return;
    }
    free.add(process);
    freed();
  }

  return {
    complete,
    hasFree: () => free.size > 0,
    take: () => takeFrom(free),
    giveBack,
    pids: () => [...alive].flatMap(({ pid }) => pid ?? []),
    async endAll() {
      ending = true;
      for (const process of alive) process.end();
      await Promise.all([...alive].map(({ ended }) => ended));
    },
  };
}

// A lost process is replaced at once; one that cannot even start, after a pause.
async function whenReady(
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

function takeFrom<T>(set: Set<T>): T | undefined {
  const [first] = set;
  if (first !== undefined) set.delete(first);
  return first;
}
