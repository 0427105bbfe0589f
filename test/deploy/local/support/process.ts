import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { startProgram } from '../../../support/program.ts';
import type { Program } from '../../../support/program.ts';

export interface TestProcess extends Pick<Program, 'pid' | 'output' | 'signal'> {
  /** Waits until the output matches and returns the match. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves to the exit code or the signal. */
  ended: Promise<number | NodeJS.Signals>;
}

interface Options {
  args?: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/**
 * Runs a TypeScript program of the repository in a separate process. The process is killed at the
 * end of the test.
 */
export function runSource(file: string, options: Options = {}): TestProcess {
  const args = ['--import', import.meta.resolve('tsx'), resolve(file), ...(options.args ?? [])];
  return run(process.execPath, { ...options, args });
}

export function run(command: string, { args = [], env = process.env, cwd }: Options): TestProcess {
  const { pid, output, signal, silent } = startProgram(command, { args, env, cwd });
  onTestFinished(() => signal('SIGKILL'));
  return {
    pid,
    output,
    signal,
    says: (pattern) =>
      eventually(() => {
        const match = pattern.exec(output());
        if (!match) throw new Error(`no ${String(pattern)} in:\n${output()}`);
        return match;
      }),
    ended: silent,
  };
}
