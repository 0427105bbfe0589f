import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binary } from '../../deploy/local/binary.ts';
import { chooseEngine, chooseStoreAddress, mongodbVersion } from '../../deploy/local/mongodb.ts';
import type { Engine } from '../../deploy/local/mongodb.ts';
import { freePort } from '../../deploy/local/ports.ts';
import { launch } from '../../deploy/local/program.ts';
import type { LineSink, Program } from '../../deploy/local/program.ts';
import { openPages } from '../../deploy/local/temporal-pages.ts';
import { resolveTemporal, temporalCommand, waitForTemporal } from '../../deploy/local/temporal.ts';

const START_MS = 150_000;
const STOP_MS = 5_000;
const POLL_MS = 100;

interface ServerProcess {
  pid: number;
  /** Stops the server gracefully, or kills it after five seconds. */
  close: () => Promise<void>;
  /** Kills the server at once, like a power cut. */
  kill: () => void;
}

/**
 * Starts a server and waits until `ready` resolves. The server exits with this process at the
 * latest. Rejects if the server needs more than 150 seconds. If the server exits before it is
 * ready, rejects with the last line of its output.
 */
export async function startServer(options: {
  name: string;
  program: Program;
  ready: (signal: AbortSignal) => Promise<void>;
  log: LineSink;
}): Promise<ServerProcess> {
  let last = '';
  const onLine = (line: string) => {
    last = line;
    options.log(line);
  };
  const running = launch(options.program, { onLine });
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), START_MS);
  const ready = options.ready(given.signal).then(
    () => undefined,
    () => `is not ready after ${START_MS / 1000} s`,
  );
  const problem = await Promise.race([ready, running.ended.then((end) => `ended with ${end}: ${last}`)]);
  clearTimeout(timer);
  given.abort();
  if (problem === undefined)
    return { pid: running.pid, close: () => running.stop(STOP_MS), kill: running.kill };
  running.kill();
  throw new Error(`${options.name} ${problem}`);
}

interface MongodbServer extends ServerProcess {
  uri: string;
  engine: Pick<Engine, 'name' | 'version' | 'source'>;
}

/**
 * Starts a MongoDB server. `dataDir` is the parent folder of its data; by default a temporary
 * folder, which `close` removes.
 */
export async function startMongodb(
  options: { dataDir?: string; log?: LineSink } = {},
): Promise<MongodbServer> {
  const log = options.log ?? (() => undefined);
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parlance-mongodb-')));
  const engine = await chooseEngine(dataDir, { env: process.env, log });
  await mkdir(engine.folder, { recursive: true });
  const address = await chooseStoreAddress(dataDir);
  const uri = engine.uri(address);
  const ready = (signal: AbortSignal) => waitForMongodb(uri, signal);
  const server = await startServer({ name: engine.name, program: engine.program(address), ready, log });
  const { name, version, source } = engine;
  return {
    ...server,
    uri,
    engine: { name, version, source },
    async close() {
      await server.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until MongoDB responds. Rejects when `signal` is aborted. */
export async function waitForMongodb(uri: string, signal: AbortSignal): Promise<void> {
  while ((await mongodbVersion(uri)) === undefined) await sleep(POLL_MS, undefined, { signal });
}

interface TemporalServer extends ServerProcess {
  address: string;
  uiUrl?: string | undefined;
  binary: Binary;
}

/**
 * Starts a Temporal server. Without `dataDir` it keeps its data in memory. Its web UI runs unless
 * `uiPort` is `none`.
 */
export async function startTemporal(
  options: { dataDir?: string; uiPort?: 'none'; log?: LineSink } = {},
): Promise<TemporalServer> {
  const log = options.log ?? (() => undefined);
  const binary = await resolveTemporal({ env: process.env, log });
  const port = await freePort();
  const uiPort = options.uiPort === 'none' ? undefined : await freePort();
  const pages = uiPort === undefined ? undefined : await openPages({ port: uiPort, names: [] });
  const address = `127.0.0.1:${port}`;
  const namespace = 'default';
  const program = await temporalCommand({
    binary: binary.path,
    port,
    namespace,
    pages: pages?.behind,
    folder: options.dataDir === undefined ? undefined : join(options.dataDir, 'temporal'),
  });
  const ready = (signal: AbortSignal) => waitForTemporal({ address, namespace, signal });
  const server = await startServer({ name: 'Temporal', program, ready, log });
  return {
    ...server,
    address,
    binary,
    uiUrl: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
    async close() {
      pages?.close();
      await server.close();
    },
    kill() {
      pages?.close();
      server.kill();
    },
  };
}
