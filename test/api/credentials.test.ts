import { hash } from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passwordMatches } from '../../api/resources/auth/password.ts';
import { SCOPES } from '../../domain/scope.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';

/**
 * Passwords, emails and one-time passwords can be changed only in a session. To change their own
 * credentials, callers also need the current password (spec 3, docs/decisions/credentials.md).
 */
describe('credentials', () => {
  let product: Product;
  let users = 0;

  beforeAll(async () => {
    product = await sharedApi('credentials');
  });
  afterAll(() => product.close());

  const open = () => client(product.base);
  const password = 'correct horse';

  async function newLogin(fields: { role: string; organization?: string }) {
    const credentials = { email: `holder${users++}@example.com`, password };
    const { id } = (await product.admin.post('/users', { ...credentials, ...fields })).body;
    return { id: id as string, credentials };
  }

  async function newSession(fields: { role: string; organization?: string }) {
    const login = await newLogin(fields);
    const session = await signIn(product.base, login.credentials);
    return { ...login, ...session, me: client(product.base, session.token) };
  }

  async function keyOf(user: string, scopes: string[]) {
    const { body } = await product.admin.post(`/users/${user}/apikeys`, { name: 'key', scopes });
    return client(product.base, body.token);
  }

  const newBranch = async () => (await product.admin.post('/organizations', { name: 'branch' })).body.id;
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const logsIn = async (credentials: object) => (await open().post('/auth/token', credentials)).status;

  describe.each(SCOPES)('an API key of scope %s', (scope) => {
    test('an API key cannot change the password, email or one-time password of its user', async () => {
      const admin = await newSession({ role: 'admin' });
      const key = await keyOf(admin.id, [scope]);
      const otp = { otp: '123456', currentPassword: password };
      for (const change of [
        { password: 'another horse' },
        { password: null },
        { email: 'mine@example.com' },
      ]) {
        for (const id of ['me', admin.id]) {
          const body = { ...change, currentPassword: password };
          const { status, body: refusal } = await key.request('PATCH', `/users/${id}`, body);
          expect([status, refusal.code], JSON.stringify(change)).toEqual([403, 'forbidden']);
        }
      }
      for (const method of ['POST', 'PUT', 'DELETE']) {
        expect((await key.request(method, '/users/me/otp', otp)).status, method).toBe(403);
        expect((await key.request(method, '/users/me/otp')).status, method).toBe(403);
      }
      expect((await key.request('DELETE', `/users/${admin.id}/otp`)).status).toBe(403);
      expect(await logsIn(admin.credentials)).toBe(200);
    });

    test('an API key can change non-credential fields of its user, even if the request repeats the current email', async () => {
      const { id, credentials } = await newLogin({ role: 'admin' });
      const key = await keyOf(id, [scope]);
      const change = { givenName: 'Ada', email: credentials.email.toUpperCase() };
      const { status, body } = await key.request('PATCH', '/users/me', change);
      expect([status, body.givenName, body.email]).toEqual([200, 'Ada', credentials.email]);
    });
  });

  test('a password matches in both normal forms, with any blanks and with a copied line end', async () => {
    const { id, credentials } = await newLogin({ role: 'agent' });
    const given = 'Café Grün 2026';
    const spelt = [given, given.normalize('NFD'), given.replaceAll(' ', '\u00A0'), ` ${given}\n`];
    for (const set of spelt.slice(0, 3)) {
      expect((await product.admin.request('PATCH', `/users/${id}`, { password: set })).status).toBe(200);
      for (const typed of spelt) expect(await logsIn({ ...credentials, password: typed })).toBe(200);
      expect(await logsIn({ ...credentials, password: 'Cafe Grun 2026' })).toBe(401);
    }
  });

  test('a password that an older version stored in another normal form still matches', async () => {
    const password = 'Café Grün 2026'.normalize('NFD');
    const passwordHash = await hash(password);
    for (const typed of [password, password.normalize('NFC')])
      expect(await passwordMatches({ passwordHash, password: typed, asker: 'a' })).toBe(true);
    expect(await passwordMatches({ passwordHash, password: 'Cafe Grun', asker: 'a' })).toBe(false);
  });

  test('an email may be pasted with blanks and characters that are not seen', async () => {
    const { credentials } = await newLogin({ role: 'agent' });
    const email = `\u200E ${credentials.email.toUpperCase()}\u200B\n`;
    expect(await logsIn({ ...credentials, email })).toBe(200);
    for (const pasted of [`Ada L <${credentials.email}>`, `mailto:${credentials.email}`])
      expect(await logsIn({ ...credentials, email: pasted })).toBe(200);
  });

  test('an email and a password typed in full-width letters log in', async () => {
    const { credentials } = await newLogin({ role: 'agent' });
    const widen = (text: string) =>
      text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
    const wide = { email: widen(credentials.email), password: widen(credentials.password) };
    expect(await logsIn(wide)).toBe(200);
  });

  test('the email of a user matches in any ASCII case, but not with look-alike letters', async () => {
    const email = 'kim+desk@example.com';
    await product.admin.post('/users', { email: 'Kim+Desk@Example.com', password, role: 'agent' });
    for (const written of ['KIM%2BDESK@example.com', 'kim+desk@example.com']) {
      const { body } = await product.admin.get(`/users?email=${written}`);
      expect([written, body.map((user: { email: string }) => user.email)]).toEqual([written, [email]]);
    }
    const login = async (given: string) =>
      (await open().post('/auth/token', { email: given, password })).status;
    expect(await login(email.toUpperCase())).toBe(200);
    expect(await login(`\u212A${email.slice(1)}`)).toBe(401);
    for (const taken of [email.toUpperCase(), ` ${email} `]) {
      expect((await product.admin.post('/users', { email: taken, role: 'agent' })).status).toBe(409);
    }
    for (const wrong of [
      `\u212A${email.slice(1)}`,
      `mailto:${email}`,
      `<${email}>`,
      `${email}.`,
      'kim\u200b@x.nl',
    ])
      expect((await product.admin.post('/users', { email: wrong, role: 'agent' })).status).toBe(400);
  });

  test('credentials of another user cannot be changed with an API key, even of an admin', async () => {
    const admin = await newUser(product, { role: 'admin' });
    const { id, credentials, me } = await newSession({ role: 'agent' });
    const { secret } = (await me.post('/users/me/otp', { currentPassword: password })).body;
    expect((await me.request('PUT', '/users/me/otp', { otp: codeOf(secret) })).status).toBe(204);
    for (const change of [{ password: 'another horse' }, { email: 'other@example.com' }]) {
      expect((await admin.request('PATCH', `/users/${id}`, change)).status).toBe(403);
    }
    expect((await admin.request('DELETE', `/users/${id}/otp`)).status).toBe(403);
    expect(await logsIn({ ...credentials, otp: codeOf(secret) })).toBe(200);
  });

  test.each(['viewer', 'agent', 'bot', 'admin'])(
    'a session of role %s can change the credentials of its user only with the current password',
    async (role) => {
      const { me, id, credentials } = await newSession({ role });
      const email = `new${users++}@example.com`;
      for (const change of [{ password: 'another horse' }, { email }]) {
        for (const path of ['/users/me', `/users/${id}`]) {
          const missing = await me.request('PATCH', path, change);
          expect([missing.status, missing.body.details[0].path]).toEqual([400, 'currentPassword']);
          const wrong = await me.request('PATCH', path, { ...change, currentPassword: 'wrong' });
          expect([wrong.status, wrong.body.code]).toEqual([401, 'unauthenticated']);
        }
      }
      const both = { email, password: 'another horse', currentPassword: password };
      const changed = await me.request('PATCH', '/users/me', both);
      expect([changed.status, changed.body.email]).toEqual([200, email]);
      expect(JSON.stringify(changed.body)).not.toMatch(/assword|horse/);
      expect(await logsIn(credentials)).toBe(401);
      expect(await logsIn({ email, password: 'another horse' })).toBe(200);
    },
  );

  test('a one-time password can only be set up with the current password', async () => {
    const { me } = await newSession({ role: 'viewer' });
    expect((await me.post('/users/me/otp')).status).toBe(400);
    expect((await me.post('/users/me/otp', {})).status).toBe(400);
    expect((await me.post('/users/me/otp', { currentPassword: 'wrong' })).status).toBe(401);
    expect((await me.post('/users/me/otp', { currentPassword: password })).status).toBe(200);
  });

  test('a wrong current password counts as a failed login', async () => {
    const { me, credentials } = await newSession({ role: 'agent' });
    const guess = { password: 'another horse', currentPassword: 'wrong' };
    for (let times = 0; times < 5; times++) {
      expect((await me.request('PATCH', '/users/me', guess)).status).toBe(401);
      expect((await me.post('/users/me/otp', { currentPassword: 'wrong' })).status).toBe(401);
    }
    const right = { ...guess, currentPassword: password };
    const locked = await me.request('PATCH', '/users/me', right);
    expect([locked.status, locked.body.code]).toEqual([429, 'login_locked']);
    expect(locked.headers.get('retry-after')).not.toBeNull();
    expect(await logsIn(credentials)).toBe(429);
    expect((await me.get('/users/me')).status).toBe(200);
  });

  test('an admin session can set the credentials of users with lower roles and of users in child organizations without the current password', async () => {
    const organization = await newBranch();
    const below = [
      ...(await Promise.all(['viewer', 'agent', 'bot'].map((role) => newSession({ role })))),
      await newSession({ role: 'admin', organization }),
    ];
    for (const { id, me, credentials } of below) {
      const { secret } = (await me.post('/users/me/otp', { currentPassword: password })).body;
      await me.request('PUT', '/users/me/otp', { otp: codeOf(secret) });
      const email = `set${users++}@example.com`;
      const set = await product.admin.request('PATCH', `/users/${id}`, { email, password: 'another horse' });
      expect([set.status, set.body.email]).toEqual([200, email]);
      expect((await me.get('/users/me')).status).toBe(401);
      expect(await logsIn({ email, password: 'another horse' })).toBe(401);
      expect((await product.admin.request('DELETE', `/users/${id}/otp`)).status).toBe(204);
      expect((await product.admin.request('DELETE', `/users/${id}/otp`)).status).toBe(404);
      expect(await logsIn({ email, password: 'another horse' })).toBe(200);
      expect(await logsIn(credentials)).toBe(401);
    }
  });

  test('an admin cannot set the credentials of a peer, nor remove their own one-time password with DELETE /users/{id}/otp', async () => {
    const organization = await newBranch();
    const [one, other] = [
      await newSession({ role: 'admin', organization }),
      await newSession({ role: 'admin', organization }),
    ];
    for (const change of [{ password: 'another horse' }, { email: 'peer@example.com' }]) {
      const demoted = { ...change, role: 'agent' };
      for (const body of [change, demoted]) {
        expect((await one.me.request('PATCH', `/users/${other.id}`, body)).status).toBe(403);
      }
    }
    expect((await one.me.request('DELETE', `/users/${other.id}/otp`)).status).toBe(403);
    expect((await one.me.request('DELETE', `/users/${one.id}/otp`)).status).toBe(403);
    expect((await product.admin.get(`/users/${other.id}`)).body.role).toBe('admin');
    expect(await logsIn(other.credentials)).toBe(200);
  });

  test('an admin who changes the credentials of users in parent or sibling organizations gets 404', async () => {
    const [organization, beside] = [await newBranch(), await newBranch()];
    const { me } = await newSession({ role: 'admin', organization });
    const strangers = [
      await newLogin({ role: 'agent' }),
      await newLogin({ role: 'agent', organization: beside }),
    ];
    for (const { id } of strangers) {
      const change = { password: 'another horse', currentPassword: password };
      expect((await me.request('PATCH', `/users/${id}`, change)).status).toBe(404);
      expect((await me.request('DELETE', `/users/${id}/otp`)).status).toBe(404);
    }
  });
});
