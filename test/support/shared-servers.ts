import { inject } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { client } from './client.ts';
import type { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { startNode } from './node-process.ts';
import { environmentFor, startProduct } from './product.ts';
import type { Product } from './product.ts';

/** A product with a database of its own on the run's servers. */
export function startApi(database: string, env: NodeJS.ProcessEnv = {}): Promise<Product> {
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  return startProduct({ ...servers, database }, env);
}

/** One more API process beside a product, on the same database. */
export async function startSecondApi(
  database: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ base: string; close: () => Promise<void>; kill: () => Promise<unknown> }> {
  const servers = { temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') };
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), PUBLIC_URL: origin, ...more };
  const env = { ...environmentFor({ ...servers, database }), ...own };
  const api = startNode('dist/api/main.js', { env });
  await eventually(async () => (await fetch(`${origin}/healthz`)).ok, { withinMs: 30_000 });
  return {
    base: `${origin}/v2`,
    async close() {
      await api.stop();
    },
    kill: api.kill,
  };
}

/** A user with an API key, and the client that uses it. */
export interface KeyHolder extends Client {
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
