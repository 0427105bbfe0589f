import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJwt } from '../../application/auth/jwt.ts';
import { client } from '../support/client.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

let product: Product;
let users = 0;

beforeAll(async () => {
  product = await sharedApi('password-links');
});
afterAll(() => product.close());

const PASSWORD = 'battery horse correct';
const open = () => client(product.base);
const newPerson = async (fields: object = {}) => {
  const email = `linked${(users += 1)}@example.com`;
  const { body } = await product.admin.post('/users', { role: 'agent', email, ...fields });
  return { id: body.id as string, email };
};
const requestLink = (id: string, caller = product.admin) => caller.post(`/users/${id}/password-link`);
const tokenOf = (url: string) => url.split('#/password/')[1] ?? '';
const newToken = async (id: string) => tokenOf((await requestLink(id)).body.url);
const setPassword = (token: string, password = PASSWORD) =>
  open().request('PUT', '/auth/password', { token, password });
const logsIn = async (email: string, password: string) =>
  (await open().post('/auth/token', { email, password })).status;

/** Spec 3.9 */
describe('password links', () => {
  test('a user without a password sets a password by a link, once', async () => {
    const { id, email } = await newPerson();
    const { status, body, headers } = await requestLink(id);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.url).toMatch(/\/console#\/password\/[\w.-]+$/);
    const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThanOrEqual(3);
    const token = tokenOf(body.url);
    const short = await setPassword(token, 'short');
    expect([short.status, short.body.details[0].path]).toEqual([400, 'password']);
    expect((await setPassword(token)).body).toEqual({ user: id, email });
    expect(await logsIn(email, PASSWORD)).toBe(200);
    expect((await setPassword(token, 'another password')).status).toBe(422);
    expect(await logsIn(email, PASSWORD)).toBe(200);
  });

  test('a link that is used twice at once sets one password', async () => {
    const { id } = await newPerson();
    const token = await newToken(id);
    const uses = await Promise.all([setPassword(token), setPassword(token, `${PASSWORD} 2`)]);
    const statuses = uses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422 || status === 409)).toHaveLength(1);
  });

  test('a password that is set by a link ends the sessions of the user', async () => {
    const { id, email } = await newPerson({ password: 'the former password' });
    const { token } = await signIn(product.base, { email, password: 'the former password' });
    expect((await setPassword(await newToken(id))).status).toBe(200);
    expect((await client(product.base, token).get('/users/me')).status).toBe(401);
    expect(await logsIn(email, 'the former password')).toBe(401);
  });

  test('a link ends when the email of the user changes, and when the user is deleted', async () => {
    const [moved, gone] = [await newPerson(), await newPerson()];
    const tokens = [await newToken(moved.id), await newToken(gone.id)];
    await product.admin.request('PATCH', `/users/${moved.id}`, { email: `moved-${moved.email}` });
    await product.admin.request('DELETE', `/users/${gone.id}`);
    for (const token of tokens) expect((await setPassword(token)).status).toBe(422);
  });

  test('an expired link, a forged link and an access token set no password', async () => {
    const { id, email } = await newPerson();
    const secret = product.environment['AUTH_SECRET'] ?? '';
    const token = await newToken(id);
    const claims = await createJwt(secret).verify(token);
    const expired = await createJwt(secret).sign({ ...claims, exp: claims.iat - 1 });
    const forged = await createJwt(`${secret} of another server`).sign(claims);
    expect((await setPassword(expired)).body).toMatchObject({ message: 'The link has expired.' });
    for (const wrong of [forged, `${token}x`, 'x', product.token]) {
      expect((await setPassword(wrong)).status).toBe(422);
    }
    expect(await logsIn(email, PASSWORD)).toBe(401);
  });

  test('a link is not accepted as an access token or a refresh token', async () => {
    const { id, email } = await newPerson();
    const token = await newToken(id);
    expect((await client(product.base, token).get('/users/me')).status).toBe(401);
    const refresh = await open().post('/auth/token', { refreshToken: token, clientId: email });
    expect(refresh.status).toBe(403);
  });

  test('agents, API keys and other admins of the organization get no link', async () => {
    const { id } = await newPerson();
    const agent = await newUser(product, { role: 'agent' });
    const key = await newUser(product, { role: 'admin' });
    expect((await requestLink(id, agent)).status).toBe(403);
    expect((await requestLink(id, key)).status).toBe(403);
    const peer = await newPerson({ role: 'admin', password: PASSWORD });
    expect((await requestLink(peer.id)).status).toBe(403);
    expect((await requestLink('me')).status).toBe(403);
  });

  test('an admin invites another admin by a link until the other admin has a password', async () => {
    const invited = await newPerson({ role: 'admin' });
    const { email } = await newPerson({ role: 'admin', password: PASSWORD });
    const { token } = await signIn(product.base, { email, password: PASSWORD });
    expect((await requestLink(invited.id, client(product.base, token))).status).toBe(403);
    expect((await setPassword(await newToken(invited.id))).status).toBe(200);
    expect((await requestLink(invited.id)).status).toBe(403);
  });
});
