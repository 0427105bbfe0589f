import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from './limits.ts';

/**
 * Processor time after which the system itself ends a process, also one whose parent was killed.
 */
export const PROCESS_CPU_SECONDS = 45;

/**
 * Data that the system lets a process hold, for what is neither heap nor seen in time: about ten
 * times what it needs.
 */
const DATA_KIB = 1024 * 1024;

const FLAGS = [
  `--max-old-space-size=${LIMITS.heapMiB}`,
  '--max-semi-space-size=8',
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

/**
 * Starts a process for expressions. Its environment has the time zone UTC (spec 2.1) and nothing
 * else. It has no output, and may read nothing but its own code; it cannot start processes or
 * threads, and yields to every other process of the machine unless `yields` is false. A channel to
 * it is open.
 */
export function spawnExpressionProcess({
  yields = true,
}: { yields?: boolean | undefined } = {}): ChildProcess {
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

/**
 * The command that runs a script within all bounds. It may read nothing but itself: so it is one
 * file, because Node 20.19 and 22.12 refuse already to look for the package.json above a file that
 * is imported.
 */
export function buildSandboxCommand(script: string): string[] {
  return withinSystemLimits([
    process.execPath,
    ...FLAGS,
    getPermissionFlag(),
    `--allow-fs-read=${script}`,
    script,
  ]);
}

// `exec`: the process itself, not a shell around it, is what is ended and watched.
function withinSystemLimits(command: string[]): string[] {
  const limits = `ulimit -t ${PROCESS_CPU_SECONDS}; ulimit -d ${DATA_KIB}; ulimit -c 0; exec "$0" "$@"`;
  return ['/bin/sh', '-c', limits, ...command];
}

function getPermissionFlag(): string {
  const known = process.allowedNodeEnvironmentFlags;
  return known.has('--permission') ? '--permission' : '--experimental-permission';
}

/** The bundle of application/expressions/build.mjs, also when we run from the sources. */
function findBundledScript(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = import.meta.url.endsWith('.ts') ? join(here, '../../dist/application/expressions') : here;
  return realpathSync(join(folder, 'process.mjs'));
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is gone already, or the system does not know priorities: the limits hold all the same.
  }
}
