import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startServer } from '../support/embedded-servers.ts';
import { freePort } from '../../deploy/local/ports.ts';
import { postgresFolder } from './programs.ts';

const run = promisify(execFile);
const MAX_CONNECTIONS = 200;

export interface Postgres {
  port: number;
  pid: number;
  close: () => Promise<void>;
}

/**
 * Starts a PostgreSQL in an empty folder, on loopback and without a password for the user
 * `temporal`.
 */
export async function startPostgres(folder: string, log: (line: string) => void): Promise<Postgres> {
  const bin = await postgresFolder();
  const port = await freePort();
  const data = join(folder, 'postgres');
  const as = await unprivileged(folder);
  const [initdb, ...initArgs] = as(join(bin, 'initdb'), '-D', data, '-U', 'temporal', '-A', 'trust');
  await run(initdb!, [...initArgs, '-E', 'UTF8', '--locale', 'C.UTF-8']);
  const [command, ...args] = as(join(bin, 'postgres'), '-D', data, '-p', String(port), '-h', '127.0.0.1');
  const program = {
    command: command!,
    args: [...args, '-k', '', '-c', `max_connections=${MAX_CONNECTIONS}`],
  };
  const isReady = ['-h', '127.0.0.1', '-p', String(port), '-U', 'temporal'];
  const ready = async (signal: AbortSignal) => {
    while (!(await succeeds(join(bin, 'pg_isready'), isReady))) await wait(100, undefined, { signal });
  };
  return { port, ...(await startServer({ name: 'PostgreSQL', program, ready, log })) };
}

/**
 * Returns a function that makes a command run as the user `postgres` if this process is root.
 * PostgreSQL refuses to run as root.
 */
async function unprivileged(folder: string): Promise<(...command: string[]) => string[]> {
  if (process.getuid?.() !== 0) return (...command) => command;
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  await chown(folder, await id('-u'), await id('-g'));
  return (...command) => [
    'setpriv',
    '--reuid',
    'postgres',
    '--regid',
    'postgres',
    '--init-groups',
    ...command,
  ];
}

async function succeeds(command: string, args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
