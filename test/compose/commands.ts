import { eventually } from '../support/eventually.ts';
import { run } from '../support/fetched.ts';

/** Runs a program in the folder of the cluster and returns its output. */
export type Command = (...args: string[]) => Promise<string>;

/**
 * Returns functions that run an operator's commands in `folder`. The COMPOSE_* environment
 * variables select the cluster.
 */
export function commandsIn(folder: string) {
  const compose: Command = (...args) => run('docker', ['compose', ...args], { cwd: folder });
  const docker: Command = (...args) => run('docker', args, { cwd: folder });
  const containers = async (service: string) =>
    (await compose('ps', '--all', '--quiet', service)).split('\n').filter(Boolean);
  return {
    folder,
    compose,
    docker,
    /** Returns the containers of a service, including stopped ones. */
    containers,
    /** Runs commands of a guide with these variables. */
    shell: (lines: string, env: NodeJS.ProcessEnv = {}) => run('bash', ['-euc', lines], { cwd: folder, env }),
  };
}
export type Commands = ReturnType<typeof commandsIn>;

/** The long-running services with code of this project. */
export const PROCESSES = ['api-1', 'api-2', 'worker'];
/** The level `warn` of pino. */
const WARNING = 40;

/**
 * Returns warnings, errors and lines that are not JSON from the logs of `PROCESSES` and the service
 * `indexes`.
 */
export async function warningsOf({ compose }: Commands): Promise<string[]> {
  const logged = await compose('logs', '--no-color', '--no-log-prefix', 'indexes', ...PROCESSES);
  const lines = logged.split('\n').filter(Boolean);
  if (lines.length < PROCESSES.length) throw new Error(`they logged nothing: ${logged}`);
  const isCalm = (line: string) =>
    line.startsWith('{') && (JSON.parse(line) as { level: number }).level < WARNING;
  return lines.filter((line) => !isCalm(line));
}

export async function untilReady(origin: string): Promise<void> {
  const ask = async () => (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok;
  await eventually(ask, { withinMs: 240_000 });
}
