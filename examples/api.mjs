// Shared code of all examples.
import { readFileSync } from 'node:fs';
import { createClient } from '@parlance/client';

const url = process.env.API ?? 'http://localhost:3000';
const email = process.env.ADMIN_EMAIL ?? 'admin@parlance.local';

/**
 * Signs in as the admin. Returns a client, and the id of the admin's organization. Parlance writes
 * the generated password to its data folder at its first start.
 */
export async function signIn() {
  const password = process.env.ADMIN_PASSWORD ?? readFileSync('data/admin-password', 'utf8').trim();
  const session = await createClient({ url }).call('POST /auth/token', { body: { email, password } });
  return { parlance: createClient({ url, token: session.token }), organization: session.organization };
}

/**
 * Returns the record of the admin's organization whose field `unique` equals that of `body`, or
 * creates a record. A record of the same name in another organization belongs to others.
 */
export async function findOrCreate({ parlance, organization }, path, body, unique) {
  const query = { organization, [unique]: body[unique] };
  const [found] = await parlance.call(`GET ${path}`, { query });
  return found ?? parlance.call(`POST ${path}`, { body: { ...body, organization } });
}
