import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export type LineSink = (line: string) => void;

export interface Program {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Opens an IPC channel to a process of the product, which exits when the channel closes. */
  channel?: boolean;
}

export interface ProgramListener {
  onLine?: LineSink;
  onMessage?: ((message: unknown) => void) | undefined;
}

export interface RunningProgram {
  /** 0 if the program could not be started. */
  pid: number;
  /** How the program ended: `code 1`, `SIGKILL`, or the start error. Never rejects. */
  ended: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after `graceMs`. */
  stop: (graceMs: number) => Promise<void>;
  /** Kills the program and its children at once (SIGKILL). */
  kill: () => void;
}

/**
 * Starts a program that cannot outlive this process. The program has its own process group, so
 * Ctrl-C reaches only this process.
 */
export function launch(program: Program, listener: ProgramListener = {}): RunningProgram {
  const child = spawn(program.command, program.args, {
    env: program.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(program.channel ? (['ipc'] as const) : [])],
    detached: true,
  });
  if (listener.onMessage) child.on('message', listener.onMessage);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && listener.onLine)
      createInterface({ input: stream, crlfDelay: Infinity }).on('line', listener.onLine);
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
    // The process has just exited.
  }
}

/**
 * Kills process `pid` after this process ends, even by SIGKILL: a shell waits for the end of a pipe
 * that only this process holds. Returns a function that cancels this.
 */
function killWithParent(pid: number): () => void {
  const script = `cat >/dev/null; kill -TERM ${pid}; sleep 5; kill -KILL ${pid}`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => undefined);
  shell.unref();
  return () => shell.kill('SIGKILL');
}
