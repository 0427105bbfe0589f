import { SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';

const SECRET = new TextEncoder().encode('a secret that is long enough for tests of the product');

/**
 * Spec 3: a change that ends or limits sessions takes effect at once in the process that makes the
 * change, and within five seconds in other processes.
 */
describe('sessions', () => {
  let product: Product;
  let other: { base: string };
  let logins = 0;

  beforeAll(async () => {
    product = await sharedApi('sessions');
    other = await secondSharedApi();
  });
  afterAll(() => product.close());

  async function newSession(role = 'agent') {
    const credentials = { email: `session${logins++}@example.com`, password: 'correct horse' };
    const { id } = (await product.admin.post('/users', { ...credentials, role })).body;
    const session = await signIn(product.base, credentials);
    const [here, there] = [client(product.base, session.token), client(other.base, session.token)];
    expect([(await here.get('/users/me')).status, (await there.get('/users/me')).status]).toEqual([200, 200]);
    return { ...session, id, credentials, here, there };
  }

  const refresh = (refreshToken: string, clientId: string, base = product.base) =>
    client(base).post('/auth/token', { refreshToken, clientId });
  const expired = (token: string) =>
    new SignJWT({ ...decodeJwt(token), exp: 1_000_000_000 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(SECRET);
  // auth.test.ts covers the bound of five seconds with a fake clock.
  const refusedSoon = (ask: () => Promise<{ status: number }>, status: number) =>
    eventually(async () => (await ask()).status === status);

  // These tests run concurrently because each waits for a cache of another process to expire.
  test.concurrent('sessions end in every process when their user is deleted', async () => {
    const { id, here, there, credentials, refreshToken } = await newSession();
    expect((await product.admin.request('DELETE', `/users/${id}`)).status).toBe(204);
    expect((await here.get('/users/me')).status).toBe(401);
    await refusedSoon(() => there.get('/users/me'), 401);
    expect((await refresh(refreshToken, credentials.email)).status).toBe(403);
    expect((await refresh(refreshToken, credentials.email, other.base)).status).toBe(403);
    expect((await client(other.base).post('/auth/token', credentials)).status).toBe(401);
  });

  test.concurrent('when a refresh token is used twice, all tokens of its session are rejected in every process', async () => {
    const { refreshToken, credentials } = await newSession();
    const second = (await refresh(refreshToken, credentials.email)).body;
    const third = (await refresh(second.refreshToken, credentials.email)).body;
    const there = [second, third].map(({ token }) => client(other.base, token));
    for (const successor of there) expect((await successor.get('/users/me')).status).toBe(200);
    expect((await refresh(refreshToken, credentials.email)).status).toBe(403);
    for (const successor of there) await refusedSoon(() => successor.get('/users/me'), 401);
    expect((await refresh(third.refreshToken, credentials.email, other.base)).status).toBe(403);
    expect((await client(product.base).post('/auth/token', credentials)).status).toBe(200);
  });

  test.concurrent('sessions lose scopes in every API process when the role of their user is lowered', async () => {
    const { id, here, there, credentials, refreshToken } = await newSession('bot');
    expect((await there.get('/users')).status).toBe(200);
    await product.admin.request('PATCH', `/users/${id}`, { role: 'agent' });
    expect((await here.get('/users')).status).toBe(403);
    await refusedSoon(() => there.get('/users'), 403);
    const { body } = await refresh(refreshToken, credentials.email);
    expect([body.scope, decodeJwt(body.token)['scope']]).toEqual(['guest agent', 'guest agent']);
  });

  test.concurrent('sessions move to the new organization of their user', async () => {
    const { id, there, here } = await newSession('bot');
    const organization = (await product.admin.post('/organizations', { name: 'branch' })).body.id;
    await product.admin.request('PATCH', `/users/${id}`, { organization });
    const seen = async (caller: typeof there) => (await caller.get('/organizations')).body.length as number;
    expect(await seen(here)).toBe(1);
    await eventually(async () => (await seen(there)) === 1);
  });

  test('sessions can be refreshed with a clientId after the access token expires, but not after the refresh token expires', async () => {
    const { token, refreshToken, credentials } = await newSession();
    const late = client(product.base, await expired(token));
    const byHeader = await late.get(`/auth/token?refreshToken=${refreshToken}`);
    expect([byHeader.status, byHeader.body.message]).toEqual([403, 'jwt expired']);
    const tooLate = await refresh(await expired(refreshToken), credentials.email);
    expect([tooLate.status, tooLate.body.message]).toEqual([403, 'jwt expired']);
    expect((await refresh(refreshToken, credentials.email)).status).toBe(200);
  });

  test('sessions that start with the old password during a password change cannot be refreshed', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, credentials } = await newSession();
      const login = (at: number) =>
        client([product.base, other.base][at % 2]!).post('/auth/token', credentials);
      const changed = product.admin.request('PATCH', `/users/${id}`, { password: 'another horse' });
      const logins = await Promise.all(Array.from({ length: 12 }, (_, at) => login(at)));
      expect((await changed).status).toBe(200);
      for (const { body } of logins.filter(({ status }) => status === 200)) {
        expect((await refresh(body.refreshToken, credentials.email)).status).toBe(403);
      }
    }
  });

  test('a logout ends its session in every process, but other sessions of the user continue', async () => {
    const { here, there, refreshToken, credentials } = await newSession();
    const second = client(product.base, (await signIn(product.base, credentials)).token);
    expect((await here.post('/auth/logout')).status).toBe(204);
    expect((await here.get('/users/me')).status).toBe(401);
    expect((await here.post('/auth/logout')).status).toBe(401);
    expect((await refresh(refreshToken, credentials.email)).status).toBe(403);
    await refusedSoon(() => there.get('/users/me'), 401);
    expect((await second.get('/users/me')).status).toBe(200);
    expect((await client(product.base).post('/auth/token', credentials)).status).toBe(200);
  });

  test('a logout with an API key is rejected, because an API key is not a session', async () => {
    const { id } = await newSession();
    const key = await product.admin.post(`/users/${id}/apikeys`, { name: 'key', scopes: ['agent'] });
    const caller = client(product.base, key.body.token);
    const { status, body } = await caller.post('/auth/logout');
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect((await caller.get('/users/me')).status).toBe(200);
  });

  test('a login is rejected after ten concurrent wrong passwords across processes, even with the right password', async () => {
    for (let round = 0; round < 3; round++) {
      const { credentials } = await newSession();
      const guess = (at: number) => {
        const password = at === 30 ? credentials.password : 'wrong password';
        return client([product.base, other.base][at % 2]!).post('/auth/token', { ...credentials, password });
      };
      const answers = await Promise.all(Array.from({ length: 31 }, (_, at) => guess(at)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      const locked = answers.filter(({ status }) => status === 429);
      expect(locked).toHaveLength(21);
      for (const { headers } of locked) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(14 * 60);
      }
    }
  });

  test('a login is rejected after ten wrong passwords across processes', async () => {
    const { credentials } = await newSession();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const base = guess % 2 === 0 ? product.base : other.base;
      const wrong = { ...credentials, password: 'wrong password' };
      statuses.push((await client(base).post('/auth/token', wrong)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});
