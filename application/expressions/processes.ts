import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { FromProcess, RunRequest } from './protocol.ts';
import { startRun } from './run.ts';
import type { RunLimits, Usage } from './run-clock.ts';
import type { ResolveLookup, ExpressionRun, RunEnd } from './run.ts';
import { readProcessUsage } from './run-clock.ts';
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from './protocol.ts';

const PROCESS_CPU_SECONDS = 45;

/** A process that has used more CPU time is replaced. */
const MAX_CPU_MS = (PROCESS_CPU_SECONDS / 2) * 1_000;
const PAUSE_AFTER_FAILED_START_MS = 1_000;

export interface Processes {
  want: (count: number) => void;
  alive: () => number;
  take: () => ExpressionProcess | undefined;
  release: (process: ExpressionProcess) => void;
  pids: () => number[];
  endAll: () => Promise<void>;
}

interface ProcessesOptions {
  freed: () => void;
  cannotStart: (error: unknown) => void;
  start?: () => ExpressionProcess;
}

export function createProcesses({
  freed,
  cannotStart,
  start = startExpressionProcess,
}: ProcessesOptions): Processes {
  const states = new Map<ExpressionProcess, 'starting' | 'free' | 'taken' | 'ending'>();
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
      states.set(process, 'ending');
      process.end();
      return;
    }
    states.set(process, 'free');
    freed();
  }

  return {
    want,
    alive: () => [...states.values()].filter((state) => state === 'free' || state === 'taken').length,
    take() {
      const first = [...states.keys()].find((process) => states.get(process) === 'free');
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

// Replaces a lost process at once, a failed start after a pause.
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

export interface ExpressionProcess {
  pid: number | undefined;
  ready: Promise<void>;
  ended: Promise<void>;
  run: (request: Omit<RunRequest, 'kind' | 'id'>, look: ResolveLookup) => Promise<RunEnd>;
  cpuMs: () => number;
  end: () => void;
}

export interface ProcessOptions {
  limits?: RunLimits | undefined;
  /** Low priority (default). */
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

/** `ulimit -d`, about ten times the need. */
const DATA_KIB = 1024 * 1024;

const FLAGS = [
  `--max-old-space-size=${LIMITS.heapMiB}`,
  '--max-semi-space-size=8',
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

/**
 * Starts a process that reads only its own code, in the environment TZ=UTC. The process has no
 * output, child processes or threads (spec 8.6).
 */
function spawnExpressionProcess({ yields = true }: { yields?: boolean | undefined } = {}): ChildProcess {
  const [command = '', ...args] = buildSandboxCommand(findBundledScript());
  const child = spawn(command, args, {
    cwd: '/',
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  if (yields && child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/** The script must be one file: Node 20.19 and 22.12 deny the search for a package.json. */
export function buildSandboxCommand(script: string): string[] {
  return withinSystemLimits([
    process.execPath,
    ...FLAGS,
    getPermissionFlag(),
    `--allow-fs-read=${script}`,
    script,
  ]);
}

// `exec` replaces the shell, so that Node keeps the child's pid.
function withinSystemLimits(command: string[]): string[] {
  const limits = `ulimit -t ${PROCESS_CPU_SECONDS}; ulimit -d ${DATA_KIB}; ulimit -c 0; exec "$0" "$@"`;
  return ['/bin/sh', '-c', limits, ...command];
}

function getPermissionFlag(): string {
  const known = process.allowedNodeEnvironmentFlags;
  return known.has('--permission') ? '--permission' : '--experimental-permission';
}

/** Also works if this module runs from its source. */
function findBundledScript(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = import.meta.url.endsWith('.ts') ? join(here, '../../dist/application/expressions') : here;
  return realpathSync(join(folder, 'process.mjs'));
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended or priorities are unsupported. The limits apply anyway.
  }
}
