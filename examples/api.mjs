// How the programs of this folder talk to Parlance. Needs nothing but Node.
import { readFileSync } from 'node:fs';

export const API = process.env.API ?? 'http://localhost:3000/v2';
const EMAIL = process.env.ADMIN_EMAIL ?? 'admin@parlance.local';

export async function call(method, path, { token, body } = {}) {
  const response = await fetch(`${API}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer;
}

/**
 * The admin's token and organization. The first start of Parlance leaves the generated password in
 * its data folder.
 */
export async function signIn() {
  const password = process.env.ADMIN_PASSWORD ?? readFileSync('data/admin-password', 'utf8').trim();
  const { token, organization } = await call('POST', '/auth/token', { body: { email: EMAIL, password } });
  return { token, organization };
}

/** The record with this value of its `unique` field, made now if there was none. */
export async function findOrCreate(token, path, body, unique) {
  const [found] = await call('GET', `${path}?${unique}=${encodeURIComponent(body[unique])}`, { token });
  return found ?? call('POST', path, { token, body });
}
