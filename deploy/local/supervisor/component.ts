import { setTimeout as sleep } from 'node:timers/promises';
import type { LineSink } from '../lines.ts';
import { launch } from '../program.ts';
import type { Program, RunningProgram } from '../program.ts';
import { StartProblem } from '../start-problem.ts';
import { recordProcess } from './leftovers.ts';

/** A process that exits this often in a row without having been ready is given up. */
const GIVE_UP_AFTER = 4;

/** Exit code EX_DATAERR of sysexits: the data are damaged, so a restart cannot help. */
const DATA_ERROR = 'code 65';

export interface ComponentOptions {
  name: string;
  program: Program;
  ready: (signal: AbortSignal) => Promise<void>;
  stopMs: number;
  /** Folder for the note about the process, which the next start reads. */
  runDir: string;
  log: LineSink;
  say: LineSink;
  onMessage?: (message: unknown) => void;
  /** Advice for the operator if the process never becomes ready; a sentence. */
  advice?: string;
}

export interface Component {
  /** Resolves when the component is ready for the first time. Rejects if it is given up. */
  ready: Promise<void>;
  stop: () => Promise<void>;
  kill: () => void;
  restart: () => void;
}

interface State {
  running?: RunningProgram;
  /** Exits in a row without a healthy run in between. */
  failures: number;
  wasReady: boolean;
  isRestarting: boolean;
}

export function keepRunning(options: ComponentOptions): Component {
  const state: State = { failures: 0, wasReady: false, isRestarting: false };
  const ending = new AbortController();
  const loop = runUntilStopped(options, state, ending.signal);
  return {
    ready: waitForReadiness(options, state, loop),
    async stop() {
      ending.abort();
      await state.running?.stop(options.stopMs);
      await loop.catch(() => undefined);
    },
    kill() {
      ending.abort();
      state.running?.kill();
    },
    restart() {
      state.isRestarting = true;
      void state.running?.stop(options.stopMs);
    },
  };
}

/** Resolves after `stop` or `kill`. Rejects if the process is given up. */
async function runUntilStopped(options: ComponentOptions, state: State, ending: AbortSignal): Promise<void> {
  const isEnding = () => ending.aborted;
  while (!isEnding()) {
    const startedAt = Date.now();
    const end = await runOnce(options, state);
    if (isEnding()) return;
    if (state.isRestarting) continue;
    state.failures = Date.now() - startedAt >= WELL_AFTER_MS ? 1 : state.failures + 1;
    if (end === DATA_ERROR) {
      if (state.wasReady) options.say(`${options.name} is not started again`);
      throw new StartProblem(`${options.name} cannot use its data; its line above says why`);
    }
    if (!state.wasReady && state.failures >= GIVE_UP_AFTER) {
      throw new StartProblem(
        `${options.name} ended ${GIVE_UP_AFTER} times (${end}); its lines above say why${options.advice ? `. ${options.advice}` : ''}`,
      );
    }
    const waitMs = restartDelayMs(state.failures);
    options.say(`${options.name} ended (${end}); starting it again in ${waitMs} ms`);
    await sleep(waitMs, undefined, { signal: ending }).catch(() => undefined);
  }
}

async function runOnce(options: ComponentOptions, state: State): Promise<string> {
  const { name, program, runDir, log, onMessage } = options;
  const running = launch(program, { onLine: log, ...(onMessage ? { onMessage } : {}) });
  state.running = running;
  state.isRestarting = false;
  const forget = recordProcess(runDir, { name, pid: running.pid });
  const end = await running.ended;
  await (
    await forget
  )();
  return end;
}

async function waitForReadiness(options: ComponentOptions, state: State, loop: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  try {
    const over = loop.then(() => {
      throw new StartProblem(`${options.name} was ended before it was ready`);
    });
    await Promise.race([options.ready(waiting.signal), over]);
    state.wasReady = true;
  } finally {
    waiting.abort();
  }
}
const FIRST_MS = 200;
const MAX_MS = 10_000;

/** A process that ran this long was healthy, so the count of failures starts again. */
const WELL_AFTER_MS = 10_000;

/** Returns the backoff after `failures` exits in a row: 200 ms, doubling to 10 s. */
export function restartDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), MAX_MS);
}
