import type { ChildProcess } from 'node:child_process';
import type { FromProcess, RunRequest } from './protocol.ts';
import { startRun } from './run.ts';
import type { RunLimits } from './run-clock.ts';
import type { ResolveLookup, ExpressionRun, RunEnd } from './run.ts';
import { spawnExpressionProcess } from './spawn.ts';
import { readProcessUsage } from './usage.ts';
import type { Usage } from './usage.ts';

/** A process that runs expressions, one at a time. */
export interface ExpressionProcess {
  pid: number | undefined;
  /** Resolves when it can run; rejects when it ended before, saying how. */
  ready: Promise<void>;
  /** Resolves when it has ended. */
  ended: Promise<void>;
  run: (request: Omit<RunRequest, 'kind' | 'id'>, look: ResolveLookup) => Promise<RunEnd>;
  /** Processor time it has used. */
  cpuMs: () => number;
  end: () => void;
}

export interface ProcessOptions {
  /** Limits of each run. Default: spec 8.6. */
  limits?: RunLimits | undefined;
  /** Runs with the lowest priority (default). */
  yields?: boolean | undefined;
}

export function startExpressionProcess({ limits, yields }: ProcessOptions = {}): ExpressionProcess {
  const child = spawnExpressionProcess({ yields });
  const used: Usage = { cpuMs: 0, residentMiB: 0 };
  let runs = 0;
  let current: ExpressionRun | undefined;

  const exit = new Promise<string>((resolve) => {
    child.on('exit', (code, signal) => {
      current?.handleExit(signal);
      resolve(signal ?? `exit code ${code}`);
    });
    child.on('error', ({ message }) => resolve(message));
  });
  child.on('message', (message: FromProcess) => {
    if (message.kind === 'done') used.cpuMs = message.cpuMs;
    current?.handleMessage(message);
  });

  return {
    pid: child.pid,
    ready: Promise.race([measureWhenReady(child, used), rejectOnExit(exit)]),
    ended: exit.then(() => undefined),
    cpuMs: () => used.cpuMs,
    end: () => void child.kill('SIGKILL'),
    run(given, look) {
      const request: RunRequest = { kind: 'run', id: ++runs, ...given };
      current = startRun(child, { request, look, before: { ...used }, limits });
      return current.end;
    },
  };
}

async function measureWhenReady(child: ChildProcess, used: Usage): Promise<void> {
  await new Promise((resolve) => child.once('message', resolve));
  Object.assign(used, await readProcessUsage(child.pid ?? 0));
}

async function rejectOnExit(exit: Promise<string>): Promise<never> {
  throw new Error(`A process for expressions ended before it was ready: ${await exit}.`);
}
