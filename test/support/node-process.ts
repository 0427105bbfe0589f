import { fileURLToPath } from 'node:url';
import { startProgram } from './program.ts';
import type { Program } from './program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface NodeProcess extends Pick<Program, 'pid' | 'output' | 'ended'> {
  /** Asks it to end (SIGTERM), and answers how it did. */
  stop: () => Promise<number | string>;
  /** Ends it at once, as a power cut would. */
  kill: () => Promise<number | string>;
}

/**
 * Runs a program of this project, or of another copy of it (a path below the `root`), until it ends
 * or is ended.
 */
export function startNode(
  script: string,
  { args = [], env = {}, root = ROOT }: { args?: string[]; env?: NodeJS.ProcessEnv; root?: string } = {},
): NodeProcess {
  const options = { args: [script, ...args], cwd: root, env: { ...process.env, ...env } };
  const { pid, output, ended, signal } = startProgram(process.execPath, options);
  const end = (name: NodeJS.Signals) => () => {
    signal(name);
    return ended;
  };
  if (pid === 0) throw new Error(`${script} cannot be started`);
  return { pid, output, ended, stop: end('SIGTERM'), kill: end('SIGKILL') };
}
