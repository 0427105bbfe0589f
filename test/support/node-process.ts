import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface NodeProcess {
  pid: number;
  /** All it has printed so far. */
  output: () => string;
  /** Resolves when it has ended, with its exit code or signal. */
  ended: Promise<number | string>;
  /** Asks it to end (SIGTERM), and answers how it did. */
  stop: () => Promise<number | string>;
  /** Ends it at once, as a power cut would. */
  kill: () => Promise<number | string>;
}

/** Runs a program of this project (a path below the root) until it ends or is ended. */
export function startNode(
  script: string,
  { args = [], env = {} }: { args?: string[]; env?: NodeJS.ProcessEnv } = {},
): NodeProcess {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<number | string>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  const end = (signal: NodeJS.Signals) => () => {
    child.kill(signal);
    return ended;
  };
  if (child.pid === undefined) throw new Error(`${script} cannot be started`);
  return { pid: child.pid, output: () => output, ended, stop: end('SIGTERM'), kill: end('SIGKILL') };
}
