import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { collectOutput } from './program.ts';

/** Runs a program and returns its output. Rejects with all output if the program fails. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return collectOutput(child, { told: [command, ...args].join(' '), until: 'close' });
}

/**
 * Runs `work`, unless it has already succeeded for this folder with the same `words`. Creates the
 * folder if it is missing.
 */
export async function once(folder: string, words: string, work: () => Promise<unknown>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const mark = resolve(folder, `.${Buffer.from(words).toString('base64url').slice(0, 200)}`);
  if (existsSync(mark)) return;
  await work();
  await writeFile(mark, words);
}
