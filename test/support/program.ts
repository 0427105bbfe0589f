import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Program {
  pid: number;
  output: () => string;
  signal: (name: NodeJS.Signals) => void;
  ended: Promise<number | NodeJS.Signals>;
  /**
   * Resolves as `ended` does, but only after the output is closed. Children of the program may keep
   * the output open for longer.
   */
  silent: Promise<number | NodeJS.Signals>;
}

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
 * Collects the output of a program until the event `until`. Rejects with all output if the program
 * fails. With `exit`, children of the program may still be writing.
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
