import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from './limits.ts';

/** Processor time after which the system itself ends a process, also one whose parent was killed. */
export const PROCESS_CPU_SECONDS = 45;

/** Data that the system lets a process hold, for what is neither heap nor seen in time: about ten times what it needs. */
const DATA_KIB = 1024 * 1024;

const FLAGS = [
  `--max-old-space-size=${LIMITS.heapMiB}`,
  '--max-semi-space-size=8',
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

/**
 * Starts a process for expressions. It has no environment, no output, and may read nothing but its own code; it cannot start processes or
 * threads, and yields to every other process of the machine. A channel to it is open.
 */
export function spawnExpressionProcess(): ChildProcess {
  const [command = '', ...args] = commandWithin(join(compiled(), 'process/main.js'), readable());
  const child = spawn(command, args, {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  if (child.pid !== undefined) yieldToOthers(child.pid);
  return child;
}

/** The command that runs a script within all bounds, which may read only these paths. */
export function commandWithin(script: string, paths: string[]): string[] {
  const reads = paths.map((path) => `--allow-fs-read=${path}`);
  return withinSystemLimits([process.execPath, ...FLAGS, permission(), ...reads, script]);
}

// `exec`: the process itself, not a shell around it, is what is ended and watched.
function withinSystemLimits(command: string[]): string[] {
  if (process.platform === 'win32') return command;
  const limits = `ulimit -t ${PROCESS_CPU_SECONDS}; ulimit -d ${DATA_KIB}; ulimit -c 0; exec "$0" "$@"`;
  return ['/bin/sh', '-c', limits, ...command];
}

function permission(): string {
  const known = process.allowedNodeEnvironmentFlags;
  return known.has('--permission') ? '--permission' : '--experimental-permission';
}

function readable(): string[] {
  const require = createRequire(import.meta.url);
  const packages = ['jsonata', 're2js'].map((name) => packageFolder(require.resolve(name)));
  const own = compiled();
  return [join(own, '*'), join(own, '../../package.json'), ...packages.map((path) => join(path, '*'))];
}

function packageFolder(path: string): string {
  const folder = dirname(realpathSync(path));
  return folder.endsWith('build') ? dirname(folder) : folder;
}

/** Where the compiled code of this folder is, also when we run from the sources. */
function compiled(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = import.meta.url.endsWith('.ts') ? join(here, '../dist/transform') : here;
  return realpathSync(folder);
}

function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is gone already, or the system does not know priorities: the limits hold all the same.
  }
}
