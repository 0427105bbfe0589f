import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LineSink, Program } from '../../deploy/local/program.ts';
import { keepRunning } from '../../deploy/local/supervisor.ts';

/**
 * A process that restarts whenever it ends, as with `npm start`, and that can be killed or frozen.
 */
export interface Tended {
  name: string;
  /** Sends SIGKILL. Returns false if the process was not running. */
  kill: () => Promise<boolean>;
  /** Sends SIGSTOP, waits, and sends SIGCONT. */
  freeze: (ms: number) => Promise<void>;
  /** Sends SIGTERM and starts the process again after it has ended. */
  restart: () => void;
  pid: () => Promise<number | undefined>;
  stop: () => Promise<void>;
  /** Kills the process at once and does not restart it. */
  abandon: () => void;
}

export interface TendedOptions {
  name: string;
  program: Program;
  ready: (signal: AbortSignal) => Promise<void>;
  runDir: string;
  log: LineSink;
  say: LineSink;
}

const STOP_MS = 10_000;

/** Starts the process and resolves when it is ready for the first time. */
export async function tend(options: TendedOptions): Promise<Tended> {
  const component = keepRunning({ ...options, stopMs: STOP_MS });
  await component.ready;
  const note = join(options.runDir, `${options.name}.pid`);

  async function pid(): Promise<number | undefined> {
    const text = await readFile(note, 'utf8').catch(() => '');
    return Number.parseInt(text, 10) || undefined;
  }

  async function send(signal: NodeJS.Signals): Promise<number | undefined> {
    const target = await pid();
    return target !== undefined && signalled(target, signal) ? target : undefined;
  }

  return {
    name: options.name,
    pid,
    kill: async () => (await send('SIGKILL')) !== undefined,
    async freeze(ms) {
      const target = await send('SIGSTOP');
      await wait(ms);
      if (target !== undefined) signalled(target, 'SIGCONT');
    },
    restart: () => component.restart(),
    stop: () => component.stop(),
    abandon: () => component.kill(),
  };
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // The process has just ended.
    return false;
  }
}
