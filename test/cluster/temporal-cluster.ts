import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { freePort } from '../../deploy/local/ports.ts';
import { launch } from '../../deploy/local/program.ts';
import type { RunningProgram } from '../../deploy/local/program.ts';
import { waitForTemporal } from '../../deploy/local/temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startPostgres } from './postgres.ts';
import { temporalPrograms } from './programs.ts';
import type { TemporalPrograms } from './programs.ts';

const run = promisify(execFile);
const NAMESPACE = 'default';
const AGAIN_AFTER_MS = 500;
const PORTS = [
  'FRONTEND_GRPC',
  'FRONTEND_HTTP',
  'FRONTEND_MEMBERSHIP',
  'MATCHING_GRPC',
  'MATCHING_MEMBERSHIP',
];
PORTS.push('HISTORY_GRPC', 'HISTORY_MEMBERSHIP', 'WORKER_GRPC', 'WORKER_MEMBERSHIP');

export interface TemporalCluster {
  address: string;
  /** A file with the current process id of the server. */
  pidFile: string;
  /** The data folder of PostgreSQL. */
  dataDir: string;
  /** The process ids of the server and of the main process of PostgreSQL. */
  pids: () => { temporal: number; postgres: number };
  close: () => Promise<void>;
}

/**
 * Starts the server of docker-compose.yml without containers: the same release, environment,
 * dynamic configuration and scripts of `deploy/temporal`, on a PostgreSQL. A server that ends is
 * restarted, as compose would.
 */
export async function startCluster(log: (line: string) => void): Promise<TemporalCluster> {
  const programs = await temporalPrograms(log);
  const folder = await temporaryFolder('parlance-cluster-');
  const postgres = await startPostgres(folder.path, log);
  const sql = { SQL_HOST: '127.0.0.1', SQL_PORT: String(postgres.port), SQL_PASSWORD: 'unused' };
  await script('schema.sh', programs, { ...sql, TEMPORAL_SCHEMA: programs.schema });
  const ports = await freePorts();
  const address = `127.0.0.1:${ports['FRONTEND_GRPC_PORT']}`;
  const env = {
    ...composeEnvironment(),
    ...ports,
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: String(postgres.port),
  };
  const pidFile = join(folder.path, 'temporal.pid');
  const server = keepServer({ programs, env, pidFile, log });
  await script('namespace.sh', programs, { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: NAMESPACE });
  await waitForTemporal({ address, namespace: NAMESPACE, signal: AbortSignal.timeout(200_000) });
  return {
    address,
    pidFile,
    dataDir: join(folder.path, 'postgres'),
    pids: () => ({ temporal: server.pid(), postgres: postgres.pid }),
    async close() {
      await server.close();
      await postgres.close();
      await folder.remove();
    },
  };
}

/**
 * Returns the environment of the server in docker-compose.yml, adapted to a process on loopback.
 */
function composeEnvironment(): Record<string, string> {
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
  return {
    ...(compose.services.temporal.environment as Record<string, string>),
    POSTGRES_PWD: 'unused',
    BIND_ON_IP: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: resolve('deploy/temporal/dynamic-config.yaml'),
    LOG_LEVEL: 'warn',
  };
}

async function freePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of PORTS) ports[`${name}_PORT`] = String(await freePort());
  return ports;
}

/** Runs a script of deploy/temporal with the programs of Temporal on the PATH. */
async function script(name: string, { bin }: TemporalPrograms, env: NodeJS.ProcessEnv): Promise<void> {
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  await run('sh', [join('deploy/temporal', name)], { env: { ...process.env, PATH, ...env } });
}

/** Runs the server and restarts it until it is closed. */
function keepServer(options: {
  programs: TemporalPrograms;
  env: NodeJS.ProcessEnv;
  pidFile: string;
  log: (line: string) => void;
}) {
  const { programs, env, pidFile, log } = options;
  const command = join(programs.bin, 'temporal-server');
  let running: RunningProgram;
  let isClosing = false;
  const start = () => {
    running = launch({ command, args: ['start'], env: { ...process.env, ...env } }, { onLine: log });
    writeFileSync(pidFile, String(running.pid));
    void running.ended.then((end) => {
      if (isClosing) return;
      log(`Temporal's server ended with ${end}`);
      setTimeout(start, AGAIN_AFTER_MS);
    });
  };
  start();
  return {
    pid: () => running.pid,
    async close() {
      isClosing = true;
      await running.stop(10_000);
    },
  };
}
