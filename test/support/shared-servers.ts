import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { client } from './client.ts';
import type { ApiClient } from './client.ts';
import { environmentFor, signIn, startLoneApi, startProduct } from './product.ts';
import type { LoneApi, OwnProduct, Product } from './product.ts';
import type { SharedAddress } from './server-pool.ts';

/**
 * The path of the shared product in the server pool. The product has two APIs and two workers if
 * the run requires them (test/cluster), otherwise one of each.
 */
const SHARED = process.env['PARLANCE_TEST_TWO_OF_EACH'] ? '/two-of-each' : '/shared';

/** The shared product, with an API process that only one test file uses. */
export interface OwnApi extends Product {
  /** Returns the log of the API process since its latest start. */
  output: () => string;
  kill: () => Promise<unknown>;
  restart: () => Promise<void>;
}

/**
 * Returns the shared product of the run, with an admin of a new organization called `name` below
 * the root organization. Use it in files that do not configure, stop or inspect processes and need
 * not run alone.
 */
export async function sharedApi(name: string): Promise<Product> {
  const { base, origin, token, environment } = await requestFromPool<SharedAddress>(`${SHARED}/join`);
  const root = client(base, token);
  const organization = (await root.post('/organizations', { name })).body.id as string;
  const login = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  const user = await root.post('/users', { role: 'admin', organization, ...login });
  if (user.status !== 201) throw new Error(`no admin: ${JSON.stringify(user.body)}`);
  const session = await signIn(base, login);
  const admin = client(base, session.token);
  // The product continues to run for its other users.
  const close = async () => {
    await requestFromPool(`${SHARED}/leave`);
  };
  return { base, origin, environment, organization, admin, login, token: session.token, close };
}

/**
 * Returns the shared product with a separate API process for one test file. This process may have
 * other variables, and may be inspected and killed. `restart` starts a killed process at the same
 * address and resolves when the process serves requests.
 */
export async function ownApi(name: string, more: NodeJS.ProcessEnv = {}): Promise<OwnApi> {
  const shared = await sharedApi(name);
  let api = await startLoneApi(shared.environment, more);
  const { base } = api;
  const origin = base.replace(/\/v2$/, '');
  return {
    ...{ ...shared, base, origin, admin: client(base, shared.token) },
    output: () => api.output(),
    kill: () => api.kill(),
    async restart() {
      api = await startLoneApi(shared.environment, { ...more, PORT: new URL(base).port, PUBLIC_URL: origin });
    },
    async close() {
      await api.close();
      await shared.close();
    },
  };
}

/** Returns another API process of the shared product, which is started at the first call. */
export async function secondSharedApi(): Promise<{ base: string }> {
  return requestFromPool(`${SHARED}/second-api`);
}

/** Starts a product on the run's servers with its own database and Temporal namespace. */
export async function startApi(database: string, env: NodeJS.ProcessEnv = {}): Promise<OwnProduct> {
  return startProduct(await ownServers(database), env);
}

/** Starts another API process on a product's database. */
export async function startSecondApi(database: string, more: NodeJS.ProcessEnv = {}): Promise<LoneApi> {
  return startLoneApi(await environmentOn(database), more);
}

/** Returns the environment of a process that uses this database on the servers of the run. */
export async function environmentOn(database: string): Promise<NodeJS.ProcessEnv> {
  return environmentFor(await ownServers(database));
}

async function ownServers(database: string) {
  await requestFromPool(`/namespaces/${database}`);
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  return { ...servers, database, namespace: database };
}

async function requestFromPool<T>(path: string): Promise<T> {
  const response = await fetch(`${inject('serverPool')}${path}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** The API client of a user, with the API key of the user. */
export interface KeyHolder extends ApiClient {
  user: string;
  key: string;
  token: string;
}

/** Creates a user with an API key. The key has the scope of the role unless `scopes` is given. */
export async function newUser(
  { admin, base }: Pick<Product, 'admin' | 'base'>,
  fields: { role: string; organization?: string | undefined; [field: string]: unknown },
  scopes = [fields.role === 'viewer' ? 'guest' : fields.role],
): Promise<KeyHolder> {
  const user = await admin.post('/users', fields);
  const key = await admin.post(`/users/${user.body.id}/apikeys`, { name: 'test', scopes });
  if (key.status !== 201) throw new Error(`no key: ${JSON.stringify([user.body, key.body])}`);
  const { token, id } = key.body;
  return { ...client(base, token), user: user.body.id, key: id, token };
}
