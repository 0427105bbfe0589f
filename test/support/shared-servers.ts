import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { client } from './client.ts';
import type { ApiClient } from './client.ts';
import { environmentFor, signIn, startLoneApi, startProduct } from './product.ts';
import type { LoneApi, OwnProduct, Product } from './product.ts';
import type { SharedAddress } from './run-desk.ts';

/** Two APIs and two workers where the run says so (test/cluster), one of each otherwise. */
const SHARED = process.env['PARLANCE_TEST_TWO_OF_EACH'] ? '/two-of-each' : '/shared';

/** The shared product through an API process that belongs to one file. */
export interface OwnApi extends Product {
  /** All that the process has logged since it was started last. */
  output: () => string;
  kill: () => Promise<unknown>;
  restart: () => Promise<void>;
}

/**
 * The product that the files of a run share, as an admin of an organization of its own right below
 * the root, of the same name. For files that neither configure, end nor read from processes, and
 * need no other file's absence.
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
  // It goes on while there are others.
  const close = async () => {
    await requestFromPool(`${SHARED}/leave`);
  };
  return { base, origin, environment, organization, admin, login, token: session.token, close };
}

/**
 * The product that files share, as `sharedApi` returns it, but through an API process of the file's
 * own: the process may have other variables, be read from, and be killed. `restart` starts it again
 * at the same address, after it was killed, and resolves when it serves.
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

/** The second API process of the product that files share. */
export async function secondSharedApi(): Promise<{ base: string }> {
  return requestFromPool(`${SHARED}/second-api`);
}

/** A product of the file's own on the run's servers, with a database and a Temporal namespace. */
export async function startApi(database: string, env: NodeJS.ProcessEnv = {}): Promise<OwnProduct> {
  return startProduct(await ownServers(database), env);
}

/** One more API process beside a product, on the same database. */
export async function startSecondApi(database: string, more: NodeJS.ProcessEnv = {}): Promise<LoneApi> {
  return startLoneApi(await environmentOn(database), more);
}

/** The environment of a process of the file's own on the run's servers. */
export async function environmentOn(database: string): Promise<NodeJS.ProcessEnv> {
  return environmentFor(await ownServers(database));
}

async function ownServers(database: string) {
  await requestFromPool(`/namespaces/${database}`);
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  return { ...servers, database, namespace: database };
}

async function requestFromPool<T>(path: string): Promise<T> {
  const response = await fetch(`${inject('runDesk')}${path}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** A user with an API key, and the client that uses it. */
export interface KeyHolder extends ApiClient {
  user: string;
  key: string;
  token: string;
}

/** Makes a user with an API key. The key has the scope of the role unless `scopes` says another. */
export async function newUser(
  { admin, base }: Pick<Product, 'admin' | 'base'>,
  fields: { role: string; organization?: string; [field: string]: unknown },
  scopes = [fields.role === 'viewer' ? 'guest' : fields.role],
): Promise<KeyHolder> {
  const user = await admin.post('/users', fields);
  const key = await admin.post(`/users/${user.body.id}/apikeys`, { name: 'test', scopes });
  if (key.status !== 201) throw new Error(`no key: ${JSON.stringify([user.body, key.body])}`);
  const { token, id } = key.body;
  return { ...client(base, token), user: user.body.id, key: id, token };
}
