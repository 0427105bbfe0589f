import type { Calm, Caller } from './caller.ts';
import type { Histories } from './checks.ts';
import type { Timeline } from './load/load.ts';
import type { Random } from './random.ts';
import type { Witness } from './witness.ts';
import { createWriteStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chooseEngine } from '../../deploy/local/mongodb.ts';
import { waitForMongodb } from '../support/embedded-servers.ts';
import { freePort } from '../../deploy/local/ports.ts';
import type { Program } from '../../deploy/local/program.ts';
import { projectRoot } from '../../platform/config/load.ts';
import { createOutput } from '../../deploy/local/output.ts';
import { waitForApi } from '../../deploy/local/product.ts';
import { resolveTemporal, temporalCommand, waitForTemporal } from '../../deploy/local/temporal.ts';
import { environmentFor } from '../support/product.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import type { Journal } from './journal.ts';
import { tend } from './tended.ts';
import type { Tended } from './tended.ts';

export const PRODUCT_PROCESSES = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const;
export const PROCESSES = [...PRODUCT_PROCESSES, 'store', 'temporal'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/**
 * The product with two API processes and two workers, a proxy before each server, and a supervisor
 * for every process.
 */
export interface Stage {
  processes: Record<ProcessName, Tended>;
  /** The proxies between the product and its servers. */
  ways: { store: TcpProxy; temporal: TcpProxy };
  /** The addresses of the two API processes, without /v2. */
  origins: [string, string];
  /** The address of Temporal without the proxy. */
  temporalAddress: string;
  /** Sets the clock of a product process to the real time plus `ms`. */
  shiftClock: (name: (typeof PRODUCT_PROCESSES)[number], ms: number) => Promise<void>;
  /**
   * Stops the growth of the store file, or permits it again. Rejects if the system cannot limit a
   * process.
   */
  fillDisk: (full: boolean) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Enough retries that no delivery fails for good within a run, a short timeout for hanging
 * attempts, and the deadlines that operators have.
 */
const PRODUCT_ENVIRONMENT = {
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 50 }, (_, n) => (n < 5 ? 1 : 3)).join(','),
  WEBHOOK_TIMEOUT_MS: '3000',
  DEADLINE_FACTOR: '1',
};
const HOOK = pathToFileURL(join(projectRoot(), 'test', 'support', 'clock-shift.mjs')).href;

/**
 * Starts everything in `folder` and resolves when both API processes are ready. Process output goes
 * to `<folder>/processes.log`.
 */
export async function startStage(folder: string, journal: Journal): Promise<Stage> {
  const output = createWriteStream(join(folder, 'processes.log'));
  const { label } = createOutput(output);
  const tended: Tended[] = [];
  const runDir = join(folder, 'run');
  await mkdir(runDir, { recursive: true });
  const keep = async (name: string, program: Program, ready: (signal: AbortSignal) => Promise<void>) => {
    const process = await tend({
      name,
      program,
      ready,
      runDir,
      log: label(name),
      say: (line) => journal.say(line),
    });
    tended.push(process);
    return process;
  };
  const close = async () => {
    await Promise.all(tended.filter(({ name }) => name.startsWith('api')).map((one) => one.stop()));
    await Promise.all(tended.filter(({ name }) => name.startsWith('worker')).map((one) => one.stop()));
    await Promise.all(tended.map((one) => one.stop()));
    output.end();
  };
  try {
    const servers = await startServers(folder, keep);
    const product = await startProcesses({ folder, keep, servers });
    return {
      ...product,
      ways: servers.ways,
      temporalAddress: servers.temporalAddress,
      processes: { ...product.processes, store: servers.store, temporal: servers.temporal },
      fillDisk: async (full) => {
        const pid = await servers.store.pid();
        if (pid === undefined) return;
        const { size } = await stat(servers.storeFile);
        await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${full ? size : 'unlimited'}:`]);
      },
      async close() {
        await close();
        await Promise.all([servers.ways.store.close(), servers.ways.temporal.close()]);
      },
    };
  } catch (error) {
    for (const process of tended) process.abandon();
    throw error;
  }
}

type Keep = (
  name: string,
  program: Program,
  ready: (signal: AbortSignal) => Promise<void>,
) => Promise<Tended>;
type Servers = Awaited<ReturnType<typeof startServers>>;

async function startServers(folder: string, keep: Keep) {
  const search = { env: process.env, log: () => undefined };
  const [engine, binary] = await Promise.all([chooseEngine(folder, search), resolveTemporal(search)]);
  await mkdir(engine.folder, { recursive: true });
  const [storePort, temporalPort] = [await freePort(), await freePort()];
  const temporalAddress = `127.0.0.1:${temporalPort}`;
  const namespace = 'default';
  const temporalProgram = await temporalCommand({
    ...{ binary: binary.path, port: temporalPort, namespace, folder: join(folder, 'temporal') },
  });
  const [store, temporal, storeWay, temporalWay] = await Promise.all([
    keep('store', engine.program({ port: storePort }), (signal) =>
      waitForMongodb(engine.uri({ port: storePort }), signal),
    ),
    keep('temporal', temporalProgram, (signal) =>
      waitForTemporal({ address: temporalAddress, namespace, signal }),
    ),
    startTcpProxy({ port: storePort }),
    startTcpProxy({ port: temporalPort }),
  ]);
  return {
    ...{ store, temporal, temporalAddress },
    ways: { store: storeWay, temporal: temporalWay },
    storeFile: join(engine.folder, 'data.mdb'),
    mongodbUri: engine.uri({ port: storeWay.port }),
  };
}

async function startProcesses({ folder, keep, servers }: { folder: string; keep: Keep; servers: Servers }) {
  const { mongodbUri, ways } = servers;
  const ports = [await freePort(), await freePort()] as const;
  const shared = {
    ...process.env,
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    ...environmentFor({ mongodbUri, temporalAddress: `127.0.0.1:${ways.temporal.port}`, database: 'chaos' }),
    ...PRODUCT_ENVIRONMENT,
  };
  const clockOf = (name: string) => join(folder, `${name}.clock`);
  const start = (name: string, module: string, port: number) => {
    const env = { ...shared, CLOCK_SHIFT_FILE: clockOf(name), PORT: String(port) };
    const program = { ...compiled(module, [], ['--import', HOOK]), env, channel: true };
    return keep(name, program, (signal) => waitForApi({ host: '127.0.0.1', port }, signal));
  };
  const [first, second] = ports;
  const [worker1, worker2, api1, api2] = await Promise.all([
    start('worker-1', 'worker/main', first),
    start('worker-2', 'worker/main', second),
    start('api-1', 'api/main', first),
    start('api-2', 'api/main', second),
  ]);
  return {
    processes: { 'worker-1': worker1, 'worker-2': worker2, 'api-1': api1, 'api-2': api2 },
    origins: ports.map((port) => `http://127.0.0.1:${port}`) as [string, string],
    shiftClock: (name: string, ms: number) => writeFile(clockOf(name), String(ms)),
  };
}

function compiled(module: string, args: string[], options: string[] = []): Program {
  const file = join(projectRoot(), 'dist', `${module}.js`);
  return { command: process.execPath, args: ['--enable-source-maps', ...options, file, ...args] };
}

export interface Chaos {
  stage: Stage;
  journal: Journal;
  random: Random;
  calm: Calm;
  admin: Caller;
  bot: Caller;
  organization: string;
  witnesses: Witness[];
  histories: Histories;
  /** Conversations of earlier rounds. */
  timelines: Timeline[];
  deleted: string[];
}
