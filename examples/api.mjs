// How the programs of this folder sign in to Parlance, and set up what they need.
import { readFileSync } from 'node:fs';
import { createClient } from '@parlance/client';

const url = process.env.API ?? 'http://localhost:3000';
const email = process.env.ADMIN_EMAIL ?? 'admin@parlance.local';

/**
 * A client of the admin's, and their organization. The first start of Parlance leaves the generated
 * password in its data folder.
 */
export async function signIn() {
  const password = process.env.ADMIN_PASSWORD ?? readFileSync('data/admin-password', 'utf8').trim();
  const session = await createClient({ url }).call('POST /auth/token', { body: { email, password } });
  return { parlance: createClient({ url, token: session.token }), organization: session.organization };
}

/** The record with this value of its `unique` field, made now if there was none. */
export async function findOrCreate(parlance, path, body, unique) {
  const [found] = await parlance.call(`GET ${path}`, { query: { [unique]: body[unique] } });
  return found ?? parlance.call(`POST ${path}`, { body });
}
