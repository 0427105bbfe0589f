import { join } from 'node:path';
import { storeProgram } from '../../deploy/local/mongodb.ts';
import { projectRoot } from '../../platform/config/load.ts';
import { launch } from '../../deploy/local/program.ts';
import type { Program } from '../../deploy/local/program.ts';

/** A program of this project that runs during a benchmark and ends with the benchmark. */
export interface BenchProgram {
  pid: number;
  stop: () => Promise<void>;
}

const GRACE_MS = 10_000;

/**
 * Starts a program, given by its compiled or source file. Resolves when `isReady` returns true or,
 * without `isReady`, when the program prints `ready`. Rejects with the output if the program exits
 * earlier. The program cannot outlive this process.
 */
export async function startProgram(
  file: string,
  {
    args = [],
    env = {},
    isReady,
  }: { args?: string[]; env?: NodeJS.ProcessEnv; isReady?: () => Promise<boolean> } = {},
): Promise<BenchProgram> {
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const program = {
    command: process.execPath,
    args: ['--enable-source-maps', ...loader, join(projectRoot(), file), ...args],
    env: { ...process.env, ...env },
  };
  return whenReady(program, { name: file, isReady });
}

/** Starts the built-in store on a folder. Resolves when the store prints `ready`. */
export function startStoreProgram(folder: string, port: number): Promise<BenchProgram> {
  return whenReady(storeProgram(folder, { port }), { name: 'the built-in store' });
}

async function whenReady(
  command: Program,
  { name, isReady }: { name: string; isReady?: (() => Promise<boolean>) | undefined },
): Promise<BenchProgram> {
  const printed: string[] = [];
  let saidReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (saidReady = resolve));
  const program = launch(command, {
    onLine(line) {
      printed.push(line);
      if (line.includes('ready')) saidReady();
    },
  });
  const early = program.ended.then((end) => {
    throw new Error(`${name} ended with ${end}\n${printed.join('\n')}`);
  });
  await Promise.race([isReady ? until(isReady) : ready, early]);
  early.catch(() => undefined);
  return { pid: program.pid, stop: () => program.stop(GRACE_MS) };
}

/** Polls until `isSo` returns true. */
export async function until(isSo: () => boolean | Promise<boolean>, everyMs = 50): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, everyMs));
}
