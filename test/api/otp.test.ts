import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { signIn, startLoneApi } from '../support/product.ts';
import type { Product } from '../support/product.ts';

/** Spec 3. */
describe('one-time passwords', () => {
  let product: Product;
  let users = 0;

  beforeAll(async () => {
    product = await sharedApi('otp');
  });
  afterAll(() => product.close());

  async function newUser() {
    const credentials = { email: `otp${users++}@example.com`, password: 'correct horse' };
    const { id } = (await product.admin.post('/users', { ...credentials, role: 'viewer' })).body;
    const current = { currentPassword: credentials.password };
    const login = (more: object = {}) =>
      client(product.base).post('/auth/token', { ...credentials, ...more });
    const me = client(product.base, (await login()).body.token);
    const own = (method: string, otp?: string) =>
      me.request(method, '/users/me/otp', method === 'POST' ? current : { otp });
    return { id, credentials, login, me, own };
  }

  // Returns the code that is valid `steps` periods of 30 s from now.
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const wrongCode = (secret: string) => {
    const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((one) => !near.includes(one))!;
  };

  async function newHolder() {
    const user = await newUser();
    const { secret } = (await user.own('POST')).body;
    expect((await user.own('PUT', codeOf(secret))).status).toBe(204);
    return { ...user, secret: secret as string };
  }

  test('one-time passwords are required once the secret is confirmed', async () => {
    const user = await newUser();
    const { status, body } = await user.own('POST');
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(body.url);
    expect([url.protocol, url.searchParams.get('secret')]).toEqual(['otpauth:', body.secret]);
    expect(decodeURIComponent(url.pathname)).toContain(user.credentials.email);
    expect((await user.login()).status).toBe(200);
    expect((await user.own('PUT', wrongCode(body.secret))).status).toBe(422);
    expect((await user.login()).status).toBe(200);
    expect((await user.own('PUT', codeOf(body.secret))).status).toBe(204);
    const missing = await user.login();
    expect([missing.status, missing.body.code]).toEqual([401, 'otp_required']);
    expect((await user.login({ otp: codeOf(body.secret) })).status).toBe(200);
    expect((await user.me.get('/users/me')).status).toBe(200);
  });

  test('a wrong one-time password gets the same response as a wrong password', async () => {
    const { login, secret, credentials } = await newHolder();
    const wrongOtp = await login({ otp: wrongCode(secret) });
    const malformed = await login({ otp: 'abc' });
    const wrongPassword = await login({ password: 'wrong password' });
    const rightOtp = await login({ password: 'wrong password', otp: codeOf(secret) });
    const unknown = await client(product.base).post('/auth/token', {
      ...credentials,
      email: 'nobody@example.com',
    });
    for (const answer of [wrongOtp, malformed, wrongPassword, rightOtp, unknown]) {
      expect([answer.status, answer.body]).toEqual([401, wrongPassword.body]);
    }
    expect(wrongPassword.body.code).toBe('unauthenticated');
    expect((await login({ otp: codeOf(secret) })).status).toBe(200);
  });

  test('a one-time password may have the blanks and digits with which apps show it', async () => {
    const { login, secret } = await newHolder();
    const shown = codeOf(secret).replace(/^(...)/, ' $1\u00A0');
    expect((await login({ otp: `${shown}\n` })).status).toBe(200);
    const wide = codeOf(secret, 1).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    expect((await login({ otp: wide })).status).toBe(200);
    const inScript = (zero: number) => (digit: string) => String.fromCodePoint(zero + Number(digit));
    const { login: another, secret: itsSecret } = await newHolder();
    const [arabic, devanagari] = [0x0660, 0x0966].map(inScript);
    expect((await another({ otp: codeOf(itsSecret).replace(/\d/g, arabic!) })).status).toBe(200);
    expect((await another({ otp: codeOf(itsSecret, 1).replace(/\d/g, devanagari!) })).status).toBe(200);
  });

  test('a one-time password works once, also for concurrent logins', async () => {
    const { login, secret } = await newHolder();
    const otp = codeOf(secret);
    const answers = await Promise.all([login({ otp }), login({ otp }), login({ otp })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await login({ otp: codeOf(secret, 1) })).status).toBe(200);
  });

  test('one-time passwords are rejected if they are more than one period old or early', async () => {
    const { login, secret } = await newHolder();
    expect((await login({ otp: codeOf(secret, -3) })).status).toBe(401);
    expect((await login({ otp: codeOf(secret, 3) })).status).toBe(401);
  });

  test('one-time passwords can be removed with a valid code', async () => {
    const { own, login, secret } = await newHolder();
    const wrong = await own('DELETE', wrongCode(secret));
    expect([wrong.status, wrong.body.code]).toEqual([422, 'unprocessable']);
    expect((await login()).body.code).toBe('otp_required');
    expect((await own('DELETE', codeOf(secret))).status).toBe(204);
    expect((await login()).status).toBe(200);
    expect((await own('DELETE', codeOf(secret))).status).toBe(404);
    expect((await own('PUT', codeOf(secret))).status).toBe(404);
  });

  test('one-time passwords cannot be removed with a used code', async () => {
    const { own, login, secret } = await newHolder();
    const otp = codeOf(secret);
    expect((await login({ otp })).status).toBe(200);
    const used = await own('DELETE', otp);
    expect([used.status, used.body.code]).toEqual([422, 'unprocessable']);
    expect((await own('DELETE', codeOf(secret, -1))).status).toBe(422);
    expect((await login()).body.code).toBe('otp_required');
    const next = codeOf(secret, 1);
    const removals = await Promise.all([own('DELETE', next), own('DELETE', next), own('DELETE', next)]);
    expect(removals.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await login()).status).toBe(200);
  });

  test('a confirmed secret of one-time passwords cannot be replaced, not even with the current password', async () => {
    const { own, secret, login } = await newHolder();
    expect((await own('POST')).status).toBe(409);
    expect((await own('PUT', codeOf(secret))).status).toBe(404);
    expect((await login()).body.code).toBe('otp_required');
  });

  test('a wrong one-time password counts as a failed login, at login and at removal', async () => {
    const { own, login, secret } = await newHolder();
    const otp = wrongCode(secret);
    for (let times = 0; times < 5; times++) {
      expect((await login({ otp })).status).toBe(401);
      expect((await own('DELETE', otp)).status).toBe(422);
    }
    const locked = [await login({ otp: codeOf(secret) }), await own('DELETE', codeOf(secret))];
    expect(locked.map(({ status, body }) => [status, body.code])).toEqual([
      [429, 'login_locked'],
      [429, 'login_locked'],
    ]);
  });

  test('a wrong one-time password counts as a failed login at confirmation', async () => {
    const { own, login, me } = await newUser();
    const { secret } = (await own('POST')).body;
    for (let times = 0; times < 10; times++) {
      expect((await own('PUT', wrongCode(secret))).status).toBe(422);
    }
    const change = { password: 'another password', currentPassword: 'correct horse' };
    const locked = [
      await own('PUT', codeOf(secret)),
      await own('POST'),
      await me.request('PATCH', '/users/me', change),
      await login(),
    ];
    expect(locked.map(({ status, body }) => [status, body.code])).toEqual(
      locked.map(() => [429, 'login_locked']),
    );
    expect((await me.get('/users/me')).status).toBe(200);
  });

  test.each([{}, { otp: 123456 }, { otp: '' }, { otp: null }])(
    'the body %j is rejected with 400 as a one-time password',
    async (body) => {
      const { me } = await newUser();
      expect((await me.request('PUT', '/users/me/otp', body)).status).toBe(400);
      expect((await me.request('DELETE', '/users/me/otp', body)).status).toBe(400);
    },
  );

  test('the secret of one-time passwords is never shown after the setup', async () => {
    const { me, id, secret } = await newHolder();
    const seen = [await me.get('/users/me'), await product.admin.get(`/users/${id}`)];
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain(secret);
    expect((await product.admin.get('/users?otp=x')).status).toBe(400);
  });

  test('one-time passwords that were set up with another AUTH_SECRET fail, and only a right password reveals the reason', async () => {
    const holder = await newHolder();
    const started = await newUser();
    await started.own('POST');
    const made = await product.admin.post('/kbitems', { title: 'once' }, { 'Idempotency-Key': 'sealed' });
    expect(made.status).toBe(201);
    const AUTH_SECRET = 'another secret that is long enough for tests of the product';
    const other = await startLoneApi(product.environment, { AUTH_SECRET });
    try {
      const login = (more: object) =>
        client(other.base).post('/auth/token', { ...holder.credentials, ...more });
      const right = await login({ otp: codeOf(holder.secret) });
      expect([right.status, right.body.code]).toEqual([422, 'unprocessable']);
      expect(right.body.message).toContain('under another AUTH_SECRET');
      expect((await login({})).body.code).toBe('otp_required');
      expect((await login({ password: 'wrong password', otp: codeOf(holder.secret) })).status).toBe(401);
      const { token } = await signIn(other.base, started.credentials);
      const current = { currentPassword: started.credentials.password };
      const own = client(other.base, token);
      expect((await own.request('PUT', '/users/me/otp', { otp: '123456' })).status).toBe(422);
      expect((await own.request('POST', '/users/me/otp', current)).status).toBe(200);
      const admin = client(other.base, (await signIn(other.base, product.login)).token);
      const again = await admin.post('/kbitems', { title: 'once' }, { 'Idempotency-Key': 'sealed' });
      expect([again.status, again.body.code]).toEqual([409, 'conflict']);
      expect((await admin.get('/kbitems?title=once')).headers.get('x-total')).toBe('1');
    } finally {
      await other.close();
    }
  });
});
