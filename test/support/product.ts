import { freePort } from '../../deploy/local/ports.ts';
import { client } from './client.ts';
import type { ApiClient } from './client.ts';
import { eventually } from './eventually.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';

/**
 * The number of delivery shards of each product in tests. Fewer shards make an idle product
 * cheaper.
 */
export const DELIVERY_SHARDS = 4;
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
 */
export async function startProduct(servers: Servers, env: NodeJS.ProcessEnv = {}): Promise<OwnProduct> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const environment = { ...environmentFor(servers), PORT: String(port), PUBLIC_URL: origin, ...env };
  const worker = startNode('dist/worker/main.js', { env: environment });
  const api = startNode('dist/api/main.js', { env: environment });
  await eventually(async () => (await fetch(`${origin}/readyz`)).ok, { withinMs: 150_000 }).catch(
    async (error: unknown) => {
      // If these processes kept running, they would slow down the tests that follow.
      await Promise.all([api.kill(), worker.kill()]);
      throw new Error(`${api.output()}\n${worker.output()}`, { cause: error });
    },
  );
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
    async close() {
      await Promise.all([api.stop(), worker.stop()]);
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

/** Starts another API process with a product's environment, overridden by `more`. */
export async function startLoneApi(
  environment: NodeJS.ProcessEnv,
  more: NodeJS.ProcessEnv = {},
): Promise<LoneApi> {
  const port = Number(more['PORT'] ?? (await freePort()));
  const origin = `http://127.0.0.1:${port}`;
  const api = startNode('dist/api/main.js', {
    env: { ...environment, PORT: String(port), PUBLIC_URL: origin, ...more },
  });
  await eventually(async () => (await fetch(`${origin}/healthz`)).ok, { withinMs: 150_000 }).catch(
    async (error: unknown) => {
      await api.kill();
      throw new Error(api.output(), { cause: error });
    },
  );
  return {
    base: `${origin}/v2`,
    output: api.output,
    async close() {
      await api.stop();
    },
    kill: api.kill,
  };
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
    LOG_LEVEL: 'warn',
  };
}
