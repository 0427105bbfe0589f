import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

/** A program under test, with what it has printed so far. */
export interface TestProcess {
  pid: number;
  output: () => string;
  /** Waits until the output matches, and answers the match. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  signal: (name: NodeJS.Signals) => void;
  /** The exit code, or the name of the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/** Runs a TypeScript program of the repository in a process of its own; it is killed at the end of the test. */
export function runSource(
  file: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv; cwd?: string } = {},
) {
  const args = ['--import', import.meta.resolve('tsx'), resolve(file), ...(options.args ?? [])];
  return run(process.execPath, { ...options, args });
}

export function run(
  command: string,
  options: { args: string[]; env?: NodeJS.ProcessEnv; cwd?: string },
): TestProcess {
  const child = spawn(command, options.args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    says: (pattern) => until(`${pattern} in:\n${output}`, () => pattern.exec(output)),
    signal: (name) => child.kill(name),
    ended: once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals),
  };
}
