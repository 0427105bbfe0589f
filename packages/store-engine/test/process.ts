import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = builtProgram('main');

/** Returns the path of a compiled program of the package. */
export function builtProgram(name: 'main' | 'check' | 'copy'): string {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
}

export interface StoreProcess {
  child: ChildProcess;
  uri: string;
}

export interface StoreExit {
  code: number | null;
  stderr: string;
}

/**
 * Starts the engine as a separate process on a free port, with files of at most `fileKiB`. Rejects
 * with the exit code if the process ends before the store is ready.
 */
export async function startProcess(
  folder: string,
  { fileKiB }: { fileKiB?: number } = {},
): Promise<StoreProcess> {
  const command = [process.execPath, MAIN, '--data-dir', folder, '--port', '0'];
  const limited = fileKiB === undefined ? [] : ['bash', '-c', `ulimit -f ${fileKiB}; exec "$@"`, 'bash'];
  const [program = '', ...args] = [...limited, ...command];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const uri = /store ready (\S+)\n/.exec(stdout)?.[1];
      if (uri !== undefined) resolve({ child, uri });
    });
    child.once('close', (code) =>
      reject(Object.assign(new Error(`exit ${code}: ${stderr}`), { code, stderr })),
    );
  });
}

/** Sends the signal, waits for the exit and returns the exit code. */
export async function endProcess(
  { child }: StoreProcess,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
  return child.exitCode;
}
