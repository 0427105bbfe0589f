import { SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';

const SECRET = new TextEncoder().encode('a secret that is long enough for tests of the product');
const MINUTE_MS = 60_000;

/** Spec 3.6. */
describe('API keys', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('apikeys');
  });
  afterAll(() => product.close());

  const listOf = async (user: string) => (await product.admin.get(`/users/${user}/apikeys`)).body;

  test('API keys consist of plk_, by which secret scanners find a key, and a JWT with the claims of the key', async () => {
    const bot = await newUser(product, { role: 'bot' });
    expect(bot.token).toMatch(/^plk_ey/);
    expect(decodeJwt(bot.token.slice(4))).toMatchObject({
      _id: bot.user,
      jti: bot.key,
      grant_type: 'api_key',
      scope: 'guest agent bot',
      organization: product.organization,
    });
    expect((await bot.get('/users/me')).status).toBe(200);
  });

  test('API keys stay valid without the plk_ prefix until they are revoked', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const older = client(
      product.base,
      await new SignJWT(decodeJwt(bot.token.slice(4)))
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(SECRET),
    );
    expect((await older.get('/users/me')).body.id).toBe(bot.user);
    await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
    expect((await older.get('/users/me')).status).toBe(401);
    expect((await bot.get('/users/me')).status).toBe(401);
  });

  test.each(['plk_', 'plk_x', 'plk_plk_', 'PLK_', 'plk-'])(
    'an API key is accepted with the prefix plk_ and rejected with any other prefix: %s',
    async (prefix) => {
      const bot = await newUser(product, { role: 'bot' });
      const caller = client(product.base, `${prefix}${bot.token.slice(4)}`);
      expect((await caller.get('/users/me')).status).toBe(prefix === 'plk_' ? 200 : 401);
    },
  );

  test('a session token with the prefix of API keys is rejected', async () => {
    const credentials = { email: 'no-key@example.com', password: 'correct horse' };
    await product.admin.post('/users', { ...credentials, role: 'agent' });
    const { token, refreshToken } = await signIn(product.base, credentials);
    for (const other of [token, refreshToken]) {
      expect((await client(product.base, `plk_${other}`).get('/users/me')).status).toBe(401);
    }
  });

  test('the lastUsedAt of an API key is the time of its last use at any process, rounded down to the minute', async () => {
    const other = await secondSharedApi();
    const bot = await newUser(product, { role: 'bot' });
    expect((await listOf(bot.user))[0]).not.toHaveProperty('lastUsedAt');
    const before = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    expect((await client(other.base, bot.token).get('/users/me')).status).toBe(200);
    const [{ lastUsedAt }] = await listOf(bot.user);
    const at = new Date(lastUsedAt).getTime();
    expect(at % MINUTE_MS).toBe(0);
    expect([before, before + MINUTE_MS]).toContain(at);
    for (let times = 0; times < 20; times++) await bot.get('/users/me');
    const later = new Date((await listOf(bot.user))[0].lastUsedAt).getTime();
    expect(later).toBeGreaterThanOrEqual(at);
    expect(Date.now() - later).toBeLessThan(2 * MINUTE_MS);
  });

  test('an API key with expiresAt is refused as expired from then on, and stays in the list', async () => {
    const { user } = await newUser(product, { role: 'bot' });
    const create = (expiresAt: string | null) =>
      product.admin.post(`/users/${user}/apikeys`, { name: 'short', scopes: ['bot'], expiresAt });
    for (const wrong of [new Date().toISOString(), '2020-01-01T00:00:00Z', 'tomorrow', ''])
      expect(await create(wrong)).toMatchObject({ status: 400, body: { details: [{ path: 'expiresAt' }] } });
    const later = await create('2999-12-31T23:59:59.900Z');
    expect(later).toMatchObject({ status: 201, body: { expiresAt: '2999-12-31T23:59:59.000Z' } });
    expect((await client(product.base, later.body.token).get('/users/me')).status).toBe(200);
    expect((await create(null)).body).not.toHaveProperty('expiresAt');
    const { body: short } = await create(new Date(Date.now() + 3_000).toISOString());
    const caller = client(product.base, short.token);
    const refused = await eventually(async () => {
      const answer = await caller.get('/users/me');
      return answer.status !== 200 && answer;
    });
    expect([refused.status, refused.body.message]).toEqual([403, 'jwt expired']);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(short.expiresAt));
    expect((await listOf(user)).map(({ expiresAt }: any) => expiresAt)).toContain(short.expiresAt);
  });

  test('a rejected request does not count as use of an API key', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const expired = await new SignJWT({ ...decodeJwt(bot.token.slice(4)), exp: 1_000_000_000 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(SECRET);
    for (const token of [`plk_${expired}`, `${bot.token.slice(0, -8)}AAAAAAAA`]) {
      expect([401, 403]).toContain((await client(product.base, token).get('/users/me')).status);
    }
    expect((await listOf(bot.user))[0]).not.toHaveProperty('lastUsedAt');
  });
});
