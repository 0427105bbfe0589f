import { SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAuthority } from '../../application/auth/authority.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';

const SECRET = new TextEncoder().encode('a secret that is long enough for tests of the product');
const DAY = 24 * 60 * 60;

/** Spec 3. */
describe('authentication', () => {
  let product: Product;
  let guests = 0;

  beforeAll(async () => {
    product = await sharedApi('auth');
  });
  afterAll(() => product.close());

  const open = () => client(product.base);
  const refreshed = (refreshToken: string, clientId: string) =>
    open().post('/auth/token', { refreshToken, clientId });

  async function newLogin(role = 'agent') {
    const credentials = { email: `login${guests++}@example.com`, password: 'correct horse' };
    const { body } = await product.admin.post('/users', { ...credentials, role });
    return { ...credentials, id: body.id as string };
  }

  test('authentication issues tokens with the claims and lifetimes of the role', async () => {
    const agent = await newLogin('agent');
    const { status, body } = await open().post('/auth/token', {
      ...agent,
      email: ` ${agent.email.toUpperCase()}`,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ tokenType: 'Bearer', user: agent.id, scope: 'guest agent' });
    const claims = decodeJwt(body.token);
    const organization = product.organization;
    expect(claims).toMatchObject({ _id: agent.id, organization, scope: 'guest agent' });
    expect(claims['grant_type']).toBe('access_token');
    expect(claims.exp! - claims.iat!).toBe(DAY);
    expect(new Date(body.expiresAt).getTime()).toBe(claims.exp! * 1000);
    const refresh = decodeJwt(body.refreshToken);
    expect(refresh['grant_type']).toBe('refresh_token');
    expect(refresh.exp! - refresh.iat!).toBe(30 * DAY);

    const bot = await newLogin('bot');
    const session = (await open().post('/auth/token', bot)).body;
    const lifetimes = [session.token, session.refreshToken].map(decodeJwt).map(({ exp, iat }) => exp! - iat!);
    expect(lifetimes).toEqual([30 * DAY, 90 * DAY]);
  });

  test('a login with an unknown email gets the same response as a login with a wrong password', async () => {
    const agent = await newLogin();
    const wrong = await open().post('/auth/token', { email: agent.email, password: 'wrong password' });
    const unknown = await open().post('/auth/token', {
      email: 'nobody@example.com',
      password: 'wrong password',
    });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('ten concurrent failed logins lock an email, even for the right password', async () => {
    const agent = await newLogin();
    const guess = () => open().post('/auth/token', { email: agent.email, password: 'wrong password' });
    const statuses = (await Promise.all(Array.from({ length: 14 }, guess))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const right = await open().post('/auth/token', agent);
    expect(right.status).toBe(429);
    expect(right.body.code).toBe('login_locked');
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  });

  test.each([
    ['nothing', {}],
    ['no password', { email: 'a@example.com' }],
    ['a refresh token alone', { refreshToken: 'x' }],
    ['a password that is no text', { email: 'a@example.com', password: 7 }],
  ])('a login with %s is rejected with 400', async (_, body) => {
    expect((await open().post('/auth/token', body)).status).toBe(400);
  });

  test('a session is refreshed with the refresh token and either the access token or the email as clientId', async () => {
    const agent = await newLogin();
    const first = await signIn(product.base, agent);
    const second = await client(product.base, first.token).get(
      `/auth/token?refreshToken=${first.refreshToken}`,
    );
    expect(second.status).toBe(200);
    const third = await refreshed(second.body.refreshToken, agent.email.toUpperCase());
    expect(third.status).toBe(200);
    expect((await client(product.base, third.body.token).get('/users/me')).status).toBe(200);
  });

  test('the second use of a refresh token revokes all tokens of the session', async () => {
    const agent = await newLogin();
    const first = await signIn(product.base, agent);
    const second = (await refreshed(first.refreshToken, agent.email)).body;
    expect((await client(product.base, second.token).get('/users/me')).status).toBe(200);
    const reuse = await refreshed(first.refreshToken, agent.email);
    expect([reuse.status, reuse.body.code]).toEqual([403, 'forbidden']);
    expect((await client(product.base, second.token).get('/users/me')).status).toBe(401);
    expect((await refreshed(second.refreshToken, agent.email)).status).toBe(403);
  });

  test('exactly one of several simultaneous refreshes of a session succeeds', async () => {
    const agent = await newLogin();
    const { refreshToken } = await signIn(product.base, agent);
    const answers = await Promise.all([1, 2, 3, 4].map(() => refreshed(refreshToken, agent.email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a rejected refresh does not use up the refresh token', async () => {
    const [agent, other] = [await newLogin(), await newLogin()];
    const { token, refreshToken } = await signIn(product.base, agent);
    const foreign = await signIn(product.base, other);
    expect((await refreshed(refreshToken, other.email)).status).toBe(403);
    expect((await refreshed(token, agent.email)).status).toBe(403);
    expect((await refreshed(`${refreshToken}x`, agent.email)).status).toBe(403);
    const byAnother = await client(product.base, foreign.token).get(
      `/auth/token?refreshToken=${refreshToken}`,
    );
    expect(byAnother.status).toBe(403);
    expect((await refreshed(refreshToken, agent.email)).status).toBe(200);
  });

  test.each([
    ['no Authorization header', undefined],
    ['a token that is no JWT', 'nonsense'],
    ['a forged signature', 'forged'],
    ['a refresh token as access token', 'refresh'],
    ['an unsigned token', 'unsigned'],
  ])('a request with %s is rejected with 401', async (_, kind) => {
    const agent = await newLogin();
    const session = await signIn(product.base, agent);
    const claims = session.token.split('.')[1] ?? '';
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const tokens: Record<string, string> = {
      nonsense: 'nonsense',
      forged: `${session.token.slice(0, -4)}AAAA`,
      refresh: session.refreshToken,
      unsigned: `${none}.${claims}.`,
    };
    const { status, body } = await client(product.base, kind && tokens[kind]).get('/users/me');
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  test('an expired token is rejected with 403 and the specified message', async () => {
    const agent = await newLogin();
    const session = await signIn(product.base, agent);
    const expired = await new SignJWT({ ...decodeJwt(session.token), exp: 1_000_000_000 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(SECRET);
    const { status, body } = await client(product.base, expired).get('/users/me');
    expect([status, body.code, body.message]).toEqual([403, 'token_expired', 'jwt expired']);
  });

  test('a token never grants more than the current role of its user', async () => {
    const bot = await newUser(product, { role: 'bot' }, ['admin']);
    expect((await bot.get('/services')).status).toBe(403);
    expect((await bot.get('/users')).status).toBe(200);
    await product.admin.request('PATCH', `/users/${bot.user}`, { role: 'viewer' });
    expect((await bot.get('/users')).status).toBe(403);
    await product.admin.request('PATCH', `/users/${bot.user}`, { role: 'admin' });
    expect((await bot.get('/services')).status).toBe(200);
  });

  test('authentication rejects a revoked API key and the API keys of a deleted user at once', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const listed = await product.admin.get(`/users/${bot.user}/apikeys`);
    expect(listed.body).toEqual([expect.objectContaining({ id: bot.key, scopes: ['bot'] })]);
    expect(listed.body[0]).not.toHaveProperty('token');
    expect((await bot.get('/users/me')).status).toBe(200);
    const revoked = await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
    expect(revoked.status).toBe(204);
    expect((await bot.get('/users/me')).status).toBe(401);
    const gone = await newUser(product, { role: 'bot' });
    expect((await product.admin.request('DELETE', `/users/${gone.user}`)).status).toBe(204);
    expect((await gone.get('/users/me')).status).toBe(401);
  });

  test('an API key that another process revoked is rejected', async () => {
    const other = await secondSharedApi();
    const bot = await newUser(product, { role: 'bot' });
    const there = client(other.base, bot.token);
    expect((await there.get('/users/me')).status).toBe(200);
    await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
    await eventually(async () => (await there.get('/users/me')).status === 401);
  });

  test('authentication caches an API key for less than five seconds', async () => {
    const bot = await newUser(product, { role: 'bot' });
    await connectStore(product.environment['MONGODB_URI'] ?? '');
    const authority = createAuthority(product.environment['AUTH_SECRET'] ?? '');
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    try {
      expect(await authority.authenticate(bot.token)).toMatchObject({ user: bot.user });
      await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
      expect(await authority.authenticate(bot.token)).toMatchObject({ user: bot.user });
      clock.mockReturnValue(now + 5_000);
      await expect(authority.authenticate(bot.token)).rejects.toMatchObject({ code: 'unauthenticated' });
    } finally {
      clock.mockRestore();
      await disconnectStore();
    }
  });

  test('a password change ends the other sessions of the user', async () => {
    const agent = await newLogin();
    const [mine, other] = [await signIn(product.base, agent), await signIn(product.base, agent)];
    const me = client(product.base, mine.token);
    const changed = await me.request('PATCH', '/users/me', {
      password: 'another horse',
      currentPassword: agent.password,
    });
    expect(changed.status).toBe(200);
    expect((await me.get('/users/me')).status).toBe(200);
    expect((await client(product.base, other.token).get('/users/me')).status).toBe(401);
    expect((await open().post('/auth/token', agent)).status).toBe(401);
  });
});
