import { eventually } from '../support/eventually.ts';
import { run } from '../support/fetched.ts';

/** Runs a program in the folder of the cluster, and answers what it prints. */
export type Command = (...args: string[]) => Promise<string>;

/** What an operator does with the cluster, in its folder; COMPOSE_* say which one it is. */
export function commandsIn(folder: string) {
  const compose: Command = (...args) => run('docker', ['compose', ...args], { cwd: folder });
  const docker: Command = (...args) => run('docker', args, { cwd: folder });
  const containers = async (service: string) =>
    (await compose('ps', '--all', '--quiet', service)).split('\n').filter(Boolean);
  return {
    folder,
    compose,
    docker,
    /** The containers of a service, also those that are not running. */
    containers,
    /** Runs lines of a guide as they stand there, with these variables. */
    shell: (lines: string, env: NodeJS.ProcessEnv = {}) => run('bash', ['-euc', lines], { cwd: folder, env }),
  };
}
export type Commands = ReturnType<typeof commandsIn>;

/** The services that run code of ours, and stay. */
export const PROCESSES = ['api-1', 'api-2', 'worker'];
/** As pino counts. */
const WARNING = 40;

/** The warnings and errors that our processes have logged, and whatever else that is no log. */
export async function warningsOf({ compose }: Commands): Promise<string[]> {
  const logged = await compose('logs', '--no-color', '--no-log-prefix', 'indexes', ...PROCESSES);
  const lines = logged.split('\n').filter(Boolean);
  if (lines.length < PROCESSES.length) throw new Error(`they logged nothing: ${logged}`);
  const isCalm = (line: string) =>
    line.startsWith('{') && (JSON.parse(line) as { level: number }).level < WARNING;
  return lines.filter((line) => !isCalm(line));
}

/** Resolves when the API answers that it has all it needs. */
export async function untilReady(origin: string): Promise<void> {
  const ask = async () => (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok;
  await eventually(ask, { withinMs: 240_000 });
}
