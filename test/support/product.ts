import { freePort } from '../../deploy/local/ports.ts';
import { scaleDeadlines } from '../../platform/config/deadlines.ts';
import { client } from './client.ts';
import type { ApiClient } from './client.ts';
import { eventually } from './eventually.ts';
import { listensOn } from './listening-ports.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';

/**
 * The number of delivery shards of each product in tests. Fewer shards make an idle product
 * cheaper.
 */
export const DELIVERY_SHARDS = 4;
/**
 * A machine may pause for five seconds, and the shortest deadlines of the product are one and two
 * seconds. A file that waits for a deadline starts its own process with the factor 1.
 */
const DEADLINE_FACTOR = 4;
/** The deadlines of each product in tests, unless its file sets another factor. */
export const DEADLINES = scaleDeadlines(DEADLINE_FACTOR);
/** Ends a start that hangs. */
const START_MS = 150_000;
/** Variables of ports. */
const PORTS = ['PORT', 'WORKER_PORT', 'MAIL_PORT'];
export const ADMIN = { email: 'admin@parlance.local', password: 'correct horse battery' };

export interface Product {
  /** The API's address, with /v2. */
  base: string;
  /** The API's address, without /v2. */
  origin: string;
  /** The API client of a signed-in admin of `organization`. */
  admin: ApiClient;
  organization: string;
  login: { email: string; password: string };
  token: string;
  /** The environment of the product's processes, for starting further processes. */
  environment: NodeJS.ProcessEnv;
  close: () => Promise<void>;
}

/**
 * A product whose processes a test may stop and inspect. `admin` is the first admin, in the root
 * organization.
 */
export interface OwnProduct extends Product {
  api: NodeProcess;
  worker: NodeProcess;
}

/**
 * Where a product's state is stored: the addresses of Temporal and MongoDB, the database and the
 * namespace.
 */
export interface Servers {
  temporalAddress: string;
  mongodbUri: string;
  database: string;
  /** If absent, the product uses the namespace `default`. */
  namespace?: string;
}

/**
 * Starts one API and one worker process against running servers, and signs in as the first admin.
 * Replaces each port 0 in `env` by a free port.
 */
export function startProduct(servers: Servers, env: NodeJS.ProcessEnv = {}): Promise<OwnProduct> {
  return onFreePorts(() => startOnce(servers, env));
}

async function startOnce(servers: Servers, env: NodeJS.ProcessEnv): Promise<OwnProduct> {
  const ports = await drawPorts({ PORT: '0', ...env });
  const origin = `http://127.0.0.1:${ports['PORT']}`;
  const environment = { ...environmentFor(servers), PUBLIC_URL: origin, ...env, ...ports };
  const worker = startNode('dist/worker/main.js', { env: environment });
  const api = startNode('dist/api/main.js', { env: environment });
  await untilStarted([api, worker], async () => {
    const isReady = (await fetch(`${origin}/readyz`)).ok && (await listensOn(api.pid, ports['PORT']));
    return isReady && (!ports['WORKER_PORT'] || (await listensOn(worker.pid, ports['WORKER_PORT'])));
  });
  const base = `${origin}/v2`;
  const session = await signIn(base, ADMIN);
  return {
    base,
    origin,
    api,
    worker,
    admin: client(base, session.token),
    organization: session.organization,
    login: ADMIN,
    token: session.token,
    environment,
    // A graceful shutdown takes two seconds. Its tests stop the processes themselves.
    async close() {
      await Promise.all([api.kill(), worker.kill()]);
    },
  };
}

/** An API process without a worker. */
export interface LoneApi {
  base: string;
  output: () => string;
  close: () => Promise<void>;
  kill: () => Promise<unknown>;
}

/**
 * Starts another API process with a product's environment, overridden by `more`. Without a port in
 * `more`, the process listens on a free port.
 */
export function startLoneApi(environment: NodeJS.ProcessEnv, more: NodeJS.ProcessEnv = {}): Promise<LoneApi> {
  return onFreePorts(async () => {
    const { PORT } = await drawPorts({ PORT: more['PORT'] ?? '0' });
    const origin = `http://127.0.0.1:${PORT}`;
    const api = startNode('dist/api/main.js', { env: { ...environment, PUBLIC_URL: origin, ...more, PORT } });
    await untilStarted(
      [api],
      async () => (await fetch(`${origin}/healthz`)).ok && (await listensOn(api.pid, PORT)),
    );
    return {
      base: `${origin}/v2`,
      output: api.output,
      async close() {
        await api.stop();
      },
      kill: api.kill,
    };
  });
}

/** Returns the ports of an environment, with each port 0 replaced by a free port. */
async function drawPorts(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const given = PORTS.filter((name) => env[name] !== undefined);
  const drawn = given.map(async (name) => [name, env[name] === '0' ? String(await freePort()) : env[name]]);
  return Object.fromEntries(await Promise.all(drawn)) as NodeJS.ProcessEnv;
}

/**
 * Calls `start` once more if another process took a port after the port was chosen and before it
 * was used.
 */
export async function onFreePorts<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!/in use|EADDRINUSE/i.test(String(error))) throw error;
    return start();
  }
}

/**
 * Waits until `isStarted` resolves to true. If a process ends before that, or does not start in
 * time, ends all processes and throws an error with their output: processes that kept running would
 * slow down the tests that follow.
 */
export async function untilStarted(
  processes: readonly Pick<NodeProcess, 'ended' | 'kill' | 'output'>[],
  isStarted: () => Promise<boolean>,
): Promise<void> {
  const ends: unknown[] = [];
  const note = (end: unknown) => void ends.push(end);
  for (const { ended } of processes) void ended.then(note, note);
  try {
    await eventually(() => ends.length > 0 || isStarted(), { withinMs: START_MS });
    if (ends.length > 0) throw new Error(`a process ended with ${String(ends[0])}`);
  } catch (error) {
    await Promise.all(processes.map(({ kill }) => kill()));
    throw new Error(processes.map(({ output }) => output()).join('\n'), { cause: error });
  }
}

export async function signIn(base: string, credentials: { email: string; password: string }) {
  const { status, body } = await client(base).post('/auth/token', credentials);
  if (status !== 200) throw new Error(`cannot sign in: ${status} ${JSON.stringify(body)}`);
  return body as { token: string; refreshToken: string; user: string; organization: string };
}

export function environmentFor({ temporalAddress, mongodbUri, database, namespace }: Servers) {
  const uri = new URL(mongodbUri);
  uri.pathname = `/${database}`;
  return {
    HOST: '127.0.0.1',
    TEMPORAL_ADDRESS: temporalAddress,
    ...(namespace === undefined ? {} : { TEMPORAL_NAMESPACE: namespace }),
    MONGODB_URI: uri.toString(),
    AUTH_SECRET: 'a secret that is long enough for tests of the product',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_KEY: '0',
    WEBHOOK_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5',
    DELIVERY_SHARDS: String(DELIVERY_SHARDS),
    DEADLINE_FACTOR: String(DEADLINE_FACTOR),
    LOG_LEVEL: 'warn',
  };
}
