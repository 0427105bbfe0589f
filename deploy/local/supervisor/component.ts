import { setTimeout as sleep } from 'node:timers/promises';
import type { LineSink } from '../lines.ts';
import { launch } from '../program.ts';
import type { Program, RunningProgram } from '../program.ts';
import { StartProblem } from '../start-problem.ts';
import { recordProcess } from './leftovers.ts';

/**
 * Before it was ready once, a process that ends this often in a row will not come up by trying
 * again.
 */
const GIVE_UP_AFTER = 4;

/**
 * By this end (EX_DATAERR of sysexits) a process says that its data are damaged: no other try will
 * find them whole.
 */
const DATA_ERROR = 'code 65';

/** A process that `npm start` keeps running. */
export interface ComponentOptions {
  name: string;
  program: Program;
  /** Resolves when the component does its work; rejects when the signal is aborted. */
  ready: (signal: AbortSignal) => Promise<void>;
  /** How long it may take to end in good order. */
  stopMs: number;
  /** Folder in which the process is noted for the next start. */
  runDir: string;
  /** Takes what the process prints. */
  log: LineSink;
  /** Takes what there is to say about the process. */
  say: LineSink;
  onMessage?: (message: unknown) => void;
  /** What to do where it never comes up; a sentence. */
  advice?: string;
}

export interface Component {
  /** Resolves when it is ready for the first time; rejects when it ends again and again instead. */
  ready: Promise<void>;
  /** Ends it for good, in good order. */
  stop: () => Promise<void>;
  /** Ends it for good, at once. */
  kill: () => void;
  /** Ends the process in good order and starts it anew without delay. */
  restart: () => void;
}

interface State {
  running?: RunningProgram;
  /** How often it has ended in a row without having been well in between. */
  failures: number;
  wasReady: boolean;
  isRestarting: boolean;
}

/**
 * Starts a process, and starts it again with growing delays whenever it ends before `stop` or
 * `kill`.
 */
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

/** Resolves when the component was told to end; rejects when it never came up. */
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

/** A process that lived this long was well; its next end counts as the first again. */
const WELL_AFTER_MS = 10_000;

/**
 * How long to wait before a process is started again that has ended `failures` times in a row: 200
 * ms, doubling to 10 s.
 */
export function restartDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), MAX_MS);
}
