import { setTimeout as sleep } from 'node:timers/promises';
import { recordProcess } from './data-folder.ts';
import { launch } from './program.ts';
import type { LineSink, Program, RunningProgram } from './program.ts';
import { StartProblem } from './start-problem.ts';

const GIVE_UP_AFTER = 4;
const HEALTHY_AFTER_MS = 10_000;
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;

/** EX_DATAERR of sysexits: the data are damaged, so a restart cannot help. */
const DATA_ERROR = 'code 65';

export interface ComponentOptions {
  name: string;
  program: Program;
  ready: (signal: AbortSignal) => Promise<void>;
  stopMs: number;
  /** Folder for the note about the process (`recordProcess`). */
  runDir: string;
  log: LineSink;
  say: LineSink;
  onMessage?: ((message: unknown) => void) | undefined;
  advice?: string | undefined;
}

export interface Component {
  /** Resolves at the first readiness. Rejects if the component is given up. */
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

async function runUntilStopped(options: ComponentOptions, state: State, ending: AbortSignal): Promise<void> {
  const { name, say, advice } = options;
  const isEnding = () => ending.aborted;
  while (!isEnding()) {
    const startedAt = Date.now();
    const end = await runOnce(options, state);
    if (isEnding()) return;
    if (state.isRestarting) continue;
    state.failures = Date.now() - startedAt >= HEALTHY_AFTER_MS ? 1 : state.failures + 1;
    if (end === DATA_ERROR) {
      if (state.wasReady) say(`${name} is not started again`);
      throw new StartProblem(`${name} cannot use its data; see its line above`);
    }
    if (!state.wasReady && state.failures >= GIVE_UP_AFTER) {
      throw new StartProblem(
        `${name} ended ${GIVE_UP_AFTER} times (${end}); see its lines above${advice ? `. ${advice}` : ''}`,
      );
    }
    const waitMs = restartDelayMs(state.failures);
    say(`${name} ended (${end}); starting it again in ${waitMs} ms`);
    await sleep(waitMs, undefined, { signal: ending }).catch(() => undefined);
  }
}

async function runOnce(options: ComponentOptions, state: State): Promise<string> {
  const { name, program, runDir, log, onMessage } = options;
  const running = launch(program, { onLine: log, onMessage });
  state.running = running;
  state.isRestarting = false;
  const recording = recordProcess(runDir, { name, pid: running.pid });
  const end = await running.ended;
  const forget = await recording;
  await forget();
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

export function restartDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
}

/** Order of the shutdown: request handling first, databases last. */
const STAGES = ['front', 'work', 'servers'] as const;
export type Stage = (typeof STAGES)[number];

export interface Group {
  start: (stage: Stage, options: ComponentOptions) => Promise<void>;
  /** Names of components that are not ready yet. */
  awaited: () => string[];
  restart: (stage: Stage) => void;
  stop: () => Promise<void>;
  kill: () => void;
  isEnding: () => boolean;
}

export function createGroup(): Group {
  const started: { stage: Stage; component: Component }[] = [];
  const awaited = new Set<string>();
  let ending = false;
  const at = (stage: Stage) => started.filter((one) => one.stage === stage).map((one) => one.component);
  return {
    async start(stage, options) {
      if (ending) throw new StartProblem('Ending already.');
      const log = (line: string) => {
        // While servers stop, they log errors about each other: these lines are dropped.
        if (!ending || stage !== 'servers') options.log(line);
      };
      const startedAt = Date.now();
      const component = keepRunning({ ...options, log });
      started.push({ stage, component });
      awaited.add(options.name);
      await component.ready;
      awaited.delete(options.name);
      options.say(`${options.name} is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    },
    awaited: () => [...awaited],
    restart: (stage) => at(stage).forEach((component) => component.restart()),
    async stop() {
      ending = true;
      for (const stage of STAGES) await Promise.all(at(stage).map((component) => component.stop()));
    },
    kill() {
      ending = true;
      for (const { component } of started) component.kill();
    },
    isEnding: () => ending,
  };
}

/** Repeated signals within this time are ignored: npm and the terminal both send Ctrl-C. */
const SAME_MS = 500;

/** Calls `gently` at the first SIGINT, SIGTERM or SIGHUP, and `atOnce` at the second. */
export function onShutdown(gently: () => void, atOnce: () => void): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = Date.now();
    if (firstAt === undefined) {
      firstAt = now;
      gently();
    } else if (now - firstAt > SAME_MS) atOnce();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal);
}
