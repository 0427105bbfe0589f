import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachLine } from './lines.ts';
import type { LineSink } from './lines.ts';

/** What to run. */
export interface Program {
  command: string;
  args: string[];
  /** The whole environment; ours when absent. */
  env?: NodeJS.ProcessEnv;
  /**
   * Opens a message channel to a program that is a Node process of ours; it ends itself when the
   * channel breaks.
   */
  channel?: boolean;
}

/** What the caller wants to hear of it. */
export interface ProgramListener {
  onLine?: LineSink;
  onMessage?: (message: unknown) => void;
}

/** A program that has been started, and may have ended by now. */
export interface RunningProgram {
  /** 0 when it could not be started at all. */
  pid: number;
  /** How it ended, in words: `code 1`, `SIGKILL`, or why it could not start. Never rejects. */
  ended: Promise<string>;
  /** Asks it to end (SIGTERM), and kills it if it has not after `graceMs`. */
  stop: (graceMs: number) => Promise<void>;
  /** Ends it and what it has started, at once (SIGKILL). */
  kill: () => void;
}

/**
 * Starts a program that cannot outlive this process, whatever ends us. It is in a process group of
 * its own, so that Ctrl-C in a terminal reaches only us, and we decide who ends when.
 */
export function launch(program: Program, listener: ProgramListener = {}): RunningProgram {
  const child = spawn(program.command, program.args, {
    env: program.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(program.channel ? (['ipc'] as const) : [])],
    detached: true,
  });
  if (listener.onMessage) child.on('message', listener.onMessage);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && listener.onLine) eachLine(stream, listener.onLine);
    else stream?.resume();
  }
  const untie = child.pid !== undefined && !program.channel ? killWithParent(child.pid) : undefined;
  const ended = waitForEnd(child).finally(() => untie?.());
  return {
    pid: child.pid ?? 0,
    ended,
    kill: () => killGroup(child),
    async stop(graceMs) {
      child.kill('SIGTERM');
      const timer = new AbortController();
      const late = sleep(graceMs, 'late', timer).catch(() => 'ended');
      if ((await Promise.race([ended, late])) === 'late') killGroup(child);
      timer.abort();
      await ended;
    },
  };
}

function waitForEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? 0}`));
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Ended in this very moment.
  }
}

/**
 * Ties the life of the process `pid`, which knows nothing of us, to ours: however this process
 * ends, SIGKILL included, the other is ended after it. The returned function unties it; call it as
 * soon as the process has ended by itself.
 *
 * A shell waits at the end of a pipe that only we hold: when we are gone the system closes it, and
 * the shell acts.
 */
function killWithParent(pid: number): () => void {
  const script = `cat >/dev/null; kill -TERM ${pid}; sleep 5; kill -KILL ${pid}`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => undefined);
  shell.unref();
  return () => shell.kill('SIGKILL');
}
