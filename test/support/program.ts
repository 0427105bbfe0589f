import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A program in a process of its own. */
export interface Program {
  pid: number;
  /** All it has printed so far. */
  output: () => string;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves when it has ended, with its exit code or signal. */
  ended: Promise<number | NodeJS.Signals>;
  /**
   * The same, once nobody can print to its output any more: neither it nor those it has started.
   */
  silent: Promise<number | NodeJS.Signals>;
}

/** Runs a program until it ends or is ended. */
export function startProgram(
  command: string,
  { args, env, cwd }: { args: string[]; env: NodeJS.ProcessEnv; cwd?: string | undefined },
): Program {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const at = (event: 'exit' | 'close') =>
    new Promise<number | NodeJS.Signals>((resolve, reject) => {
      child.once(event, (code: number | null, signal: NodeJS.Signals | null) =>
        resolve((signal ?? code) as number | NodeJS.Signals),
      );
      child.once('error', reject);
    });
  const [ended, silent] = [at('exit'), at('close')];
  for (const end of [ended, silent]) end.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    output: () => output,
    signal: (name) => void child.kill(name),
    ended,
    silent,
  };
}

/**
 * What a program prints until it is over. Rejects with all of it where it fails. With `exit`, what
 * it has started may go on printing.
 */
export function collectOutput(
  child: ChildProcessByStdio<null, Readable, Readable>,
  { told, until }: { told: string; until: 'exit' | 'close' },
): Promise<string> {
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  return new Promise((answer, reject) => {
    child.once('error', reject);
    child.once(until, (code) => {
      if (code === 0) answer(printed);
      else reject(new Error(`${told} ended with ${String(code)}:\n${printed}\n${complaints}`));
    });
  });
}
