import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../deploy/local/ports.ts';
import type { TemporalCluster } from '../cluster/temporal-cluster.ts';
import { choosePorts, start } from '../support/launcher.ts';
import { createCaller } from './caller.ts';
import type { Caller } from './caller.ts';
import { childrenOf, cpuMsOfAll, sumOf } from './cpu-time.ts';
import { startProgram } from './programs.ts';
import type { BenchProgram } from './programs.ts';

/**
 * The whole product as started by `npm start`, in its own folder, with the first admin signed in.
 */
export interface Product extends Caller {
  /** The address of the API without /v2. */
  origin: string;
  token: string;
  temporalAddress: string;
  namespace: string;
  mongodbUri: string;
  organization: string;
  /** Data folders of the two servers. */
  data: { temporal: string; store: string };
  /** Process ids of the processes that serve requests. */
  pids: () => Promise<Record<'temporal' | 'store' | 'worker' | 'api', number>>;
  /**
   * CPU milliseconds used so far by each process and its children; null where the system does not
   * report them.
   */
  cpuMsOfEach: () => Promise<Record<string, number | null>>;
  /** The sum of `cpuMsOfEach`. */
  cpuMs: () => Promise<number | null>;
  /** Starts another worker or API process. Resolves when the process is ready. */
  startAnother: (kind: 'worker' | 'api') => Promise<BenchProgram & { origin: string }>;
}

interface ProductOptions {
  root?: string;
  cluster?: TemporalCluster;
  folder?: string;
}

/**
 * Starts a product. `root`: another built copy of the project; default: this copy. `cluster`:
 * replaces the embedded Temporal server. `folder`: a folder for the data that is kept afterwards;
 * default: a temporary folder.
 */
export async function startProduct({ root, cluster, folder: kept }: ProductOptions = {}): Promise<Product> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'parlance-bench-')));
  const ports = await choosePorts();
  const data = { temporal: cluster?.dataDir ?? join(folder, 'temporal'), store: join(folder, 'store') };
  const env = {
    AUTH_SECRET: randomBytes(32).toString('hex'),
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_KEY: '0',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    ...(cluster ? { TEMPORAL_ADDRESS: cluster.address } : {}),
  };
  const started = await start(folder, { ports, env, root, withinMs: 300_000 });
  const mongodbUri = storeAddress(started.supervisor.output());
  const { token, organization } = await signIn(started.origin, await started.password());
  const caller = createCaller(started.origin, token);
  const temporalAddress = cluster?.address ?? `127.0.0.1:${ports.TEMPORAL_PORT}`;
  const pids = async () => ({
    store: await started.readPid('store'),
    temporal: cluster?.pids().temporal ?? (await started.readPid('temporal')),
    worker: await started.readPid('worker'),
    api: await started.readPid('api'),
  });
  const all = async () => ({ ...(await pids()), ...cluster?.pids() });
  return {
    ...caller,
    origin: started.origin,
    token,
    temporalAddress,
    namespace: started.namespace,
    mongodbUri,
    organization,
    data,
    pids,
    cpuMsOfEach: async () => cpuMsOfEach(await all()),
    cpuMs: async () => sumOf(Object.values(await cpuMsOfEach(await all()))),
    startAnother: (kind) =>
      startAnother(`dist/${kind}/main.js`, {
        ...{ ...env, MONGODB_URI: mongodbUri, TEMPORAL_ADDRESS: temporalAddress },
        TEMPORAL_NAMESPACE: started.namespace,
      }),
    async close() {
      await caller.close();
      await started.supervisor.stop();
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the CPU time of each process with its children, such as the processes of expressions and
 * of PostgreSQL connections.
 */
async function cpuMsOfEach(pids: Record<string, number>): Promise<Record<string, number | null>> {
  const used = Object.entries(pids).map(
    async ([name, pid]) => [name, await cpuMsOfAll([pid, ...(await childrenOf(pid))])] as const,
  );
  return Object.fromEntries(await Promise.all(used));
}

/**
 * Returns the store's address, which `npm start` prints because the path of the socket can vary.
 */
function storeAddress(output: string): string {
  const address = /store ready (mongodb:\S+?)\/?\s/.exec(output)?.[1];
  if (address === undefined) throw new Error(`The store did not say where it is:\n${output}`);
  return `${address}/parlance`;
}

async function startAnother(file: string, env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const others = { ...env, PORT: String(port), WORKER_PORT: String(port), PUBLIC_URL: origin };
  const program = await startProgram(file, { env: others, isReady });
  return { ...program, origin };
}

async function signIn(origin: string, password: string): Promise<{ token: string; organization: string }> {
  const nobody = createCaller(origin);
  const session = await nobody.call('POST', '/auth/token', { email: 'admin@parlance.local', password });
  await nobody.close();
  return session as { token: string; organization: string };
}
