import { fileURLToPath } from 'node:url';
import { startProgram } from './program.ts';
import type { Program } from './program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Node arguments that load the check of the product's MongoDB statements (docs/statements.md). */
const WATCHED = ['--import', new URL('statements/watch.mjs', import.meta.url).href];

export interface NodeProcess extends Pick<Program, 'pid' | 'output' | 'ended'> {
  /** Sends SIGTERM and resolves to the exit code or signal. */
  stop: () => Promise<number | string>;
  /** Kills the process, like a power cut. */
  kill: () => Promise<number | string>;
}

/**
 * Runs the program at the path `script` below `root`. `root` is this project or another copy of it.
 */
export function startNode(
  script: string,
  { args = [], env = {}, root = ROOT }: { args?: string[]; env?: NodeJS.ProcessEnv; root?: string } = {},
): NodeProcess {
  const watched = root === ROOT && script.startsWith('dist/') ? WATCHED : [];
  const options = { args: [...watched, script, ...args], cwd: root, env: { ...process.env, ...env } };
  const { pid, output, ended, signal } = startProgram(process.execPath, options);
  const end = (name: NodeJS.Signals) => () => {
    signal(name);
    return ended;
  };
  if (pid === 0) throw new Error(`${script} cannot be started`);
  return { pid, output, ended, stop: end('SIGTERM'), kill: end('SIGKILL') };
}
