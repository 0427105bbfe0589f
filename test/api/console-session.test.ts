import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieName } from '../../api/console/session.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** The shape of a token. Random text can contain `eyJ` alone. */
const JWT = /eyJ[\w-]{20,}\.eyJ/;

interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

interface Asked {
  cookie?: string;
  csrf?: string;
  body?: unknown;
  type?: string;
}

describe('a console session', () => {
  let product: Product;
  let credentials: { email: string; password: string };
  let agent: string;

  beforeAll(async () => {
    product = await sharedApi('console_session');
    credentials = { email: 'console-session@example.com', password: 'correct horse' };
    agent = (await product.admin.post('/users', { ...credentials, role: 'agent' })).body.id;
  });
  afterAll(() => product.close());

  async function ask(
    method: string,
    path: string,
    { cookie, csrf, body, type = 'application/json' }: Asked = {},
  ): Promise<Reply> {
    const response = await fetch(`${product.origin}${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...(csrf === undefined ? {} : { 'X-CSRF-Token': csrf }),
        ...(body === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  test('a console session is found behind another cookie of its name', async () => {
    const { cookie, csrf } = await signIn();
    const [name] = cookie.split('=');
    const status = async (all: string) =>
      (await ask('GET', '/console/session', { cookie: all, csrf })).status;
    expect(await status(`${name}=foreign; ${cookie}`)).toBe(200);
    expect(await status(`${name}=; a=b; ${cookie}`)).toBe(200);
    expect(await status(`${name}=foreign`)).toBe(401);
  });

  test('a console session is found behind the cookie of another session, and behind that of an ended session', async () => {
    const [own, other, ended] = [await signIn(), await signIn(), await signIn()];
    await ask('DELETE', '/console/session', { cookie: ended.cookie, csrf: ended.csrf });
    for (const first of [other, ended]) {
      const both = { cookie: `${first.cookie}; ${own.cookie}`, csrf: own.csrf };
      expect((await ask('GET', '/v2/users/me', both)).status).toBe(200);
      const renewed = await ask('PUT', '/console/session', both);
      expect(renewed.status).toBe(200);
      own.cookie = renewed.headers.get('set-cookie')?.split(';')[0] ?? '';
    }
  });

  async function signIn() {
    const reply = await ask('POST', '/console/session', { body: credentials });
    const setCookie = reply.headers.get('set-cookie') ?? '';
    return {
      ...reply,
      setCookie,
      cookie: setCookie.split(';')[0] ?? '',
      csrf: reply.body.csrfToken as string,
    };
  }

  test('a console session has a cookie that scripts cannot read and other sites cannot send, and the login response contains no token', async () => {
    const { status, headers, setCookie, body } = await signIn();
    expect(status).toBe(200);
    expect(setCookie).toMatch(
      /^parlance_session_\d+=[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ user: agent, scope: 'agent', organization: { id: product.organization } });
    expect(JSON.stringify(body)).not.toMatch(JWT);
  });

  test('a console session has a cookie that works neither as a bearer token nor as a refresh token', async () => {
    const value = (await signIn()).cookie.split('=')[1] ?? '';
    for (const text of [value, Buffer.from(value, 'base64url').toString('latin1')])
      expect(text).not.toMatch(JWT);
    for (const Authorization of [`Bearer ${value}`, `Bearer plk_${value}`])
      expect((await fetch(`${product.base}/users/me`, { headers: { Authorization } })).status).toBe(401);
    const refreshed = await ask('POST', '/v2/auth/token', {
      body: { refreshToken: value, clientId: credentials.email },
    });
    expect(refreshed.status).toBeGreaterThanOrEqual(400);
    expect(refreshed.body.token).toBeUndefined();
  });

  test('a console session cannot be read, used, renewed or ended with the cookie alone', async () => {
    const { cookie, csrf } = await signIn();
    for (const [method, path] of [
      ['GET', '/console/session'],
      ['PUT', '/console/session'],
      ['DELETE', '/console/session'],
      ['GET', '/v2/users/me'],
      ['POST', '/v2/conversations'],
    ] as const) {
      const refused = await ask(method, path, { cookie });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'forbidden']);
      expect(JSON.stringify(refused.body)).not.toContain(csrf);
      expect(refused.headers.get('set-cookie')).toBeNull();
    }
    expect((await ask('GET', '/console/session', { cookie, csrf })).status).toBe(200);
  });

  test('a console session returns its user and authorizes the console for the API', async () => {
    const { cookie, csrf } = await signIn();
    const mine = await ask('GET', '/console/session', { cookie, csrf });
    expect(mine).toMatchObject({ status: 200, body: { user: agent } });
    // Only the response to a login contains the CSRF token.
    expect(mine.body.csrfToken).toBeUndefined();
    expect(await ask('GET', '/v2/users/me', { cookie, csrf })).toMatchObject({
      status: 200,
      body: { id: agent },
    });
  });

  test('a console session returns the language that the user has chosen, if the console speaks it', async () => {
    const { cookie, csrf, body } = await signIn();
    expect(body.language).toBeUndefined();
    for (const [language, shown] of [
      ['de', 'de'],
      ['tlh', undefined],
      [null, undefined],
    ]) {
      const patch = { settings: { console: { language } } };
      await ask('PATCH', '/v2/users/me', { cookie, csrf, body: patch, type: 'application/merge-patch+json' });
      expect((await ask('GET', '/console/session', { cookie, csrf })).body.language).toBe(shown);
    }
  });

  test('a console session may send a merge patch, and no other type than JSON', async () => {
    const { cookie, csrf } = await signIn();
    const patch = async (type: string, body: object) =>
      (await ask('PATCH', '/v2/users/me', { cookie, csrf, type, body })).status;
    const merge = 'application/merge-patch+json';
    expect(await patch(merge, { settings: { console: { a: 1 } } })).toBe(200);
    expect(await patch(merge, { settings: { console: { b: 2 } } })).toBe(200);
    const { body } = await ask('GET', '/v2/users/me', { cookie, csrf });
    expect(body.settings).toEqual({ console: { a: 1, b: 2 } });
    for (const type of ['text/json', 'application/ld+json', 'text/plain'])
      expect(await patch(type, { settings: {} })).toBe(415);
  });

  test('a console session rejects requests without its own CSRF token', async () => {
    const { cookie, csrf } = await signIn();
    const other = await signIn();
    for (const given of [undefined, '', 'x', `${csrf}x`, other.csrf]) {
      const reply = await ask('GET', '/v2/users/me', {
        cookie,
        ...(given === undefined ? {} : { csrf: given }),
      });
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test('a console session is ignored when the request has an Authorization header', async () => {
    const { cookie } = await signIn();
    const response = await fetch(`${product.base}/users/me`, {
      headers: { Cookie: cookie, Authorization: `Bearer ${product.token}` },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).not.toMatchObject({ id: agent });
  });

  test('a console session is renewed under a new cookie and keeps its CSRF token', async () => {
    const { cookie, csrf } = await signIn();
    const renewed = await ask('PUT', '/console/session', { cookie, csrf });
    expect(renewed).toMatchObject({ status: 200, body: { user: agent } });
    expect(renewed.body.csrfToken).toBeUndefined();
    const next = (renewed.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(next).not.toBe(cookie);
    expect((await ask('GET', '/v2/users/me', { cookie: next, csrf })).status).toBe(200);
  });

  test('the end of a console session revokes all tokens of the session', async () => {
    const { cookie, csrf } = await signIn();
    const ended = await ask('DELETE', '/console/session', { cookie, csrf });
    expect(ended.status).toBe(204);
    expect(ended.headers.get('set-cookie')).toMatch(/^parlance_session_\d+=; .*Expires=Thu, 01 Jan 1970/);
    expect((await ask('GET', '/v2/users/me', { cookie, csrf })).status).toBe(401);
    expect((await ask('PUT', '/console/session', { cookie, csrf })).status).toBe(403);
  });

  test('a console session is independent of the session of another port on the same host', async () => {
    const { cookie, csrf } = await signIn();
    expect(cookie).toMatch(new RegExp(`^parlance_session_${new URL(product.origin).port}=`));
    const both = `parlance_session_1=of-another; parlance_session=of-before; ${cookie}`;
    expect((await ask('GET', '/v2/users/me', { cookie: both, csrf })).status).toBe(200);
    const [, value = ''] = cookie.split('=');
    const renamed = `parlance_session_1=${value}; parlance_session=${value}`;
    expect((await ask('GET', '/v2/users/me', { cookie: renamed, csrf })).status).toBe(401);
  });

  test.each([
    ['http://localhost:3000', 'parlance_session_3000'],
    ['http://127.0.0.1:4000/', 'parlance_session_4000'],
    ['http://chat.example', 'parlance_session_80'],
    ['https://chat.example', '__Host-parlance_session_443'],
    ['https://chat.example/one', '__Host-parlance_session_443_one'],
    ['https://chat.example/two/of%20it', '__Host-parlance_session_443_two_of_20it'],
  ])('a console session has a cookie named after the port and path of PUBLIC_URL: %s', (publicUrl, name) => {
    expect(cookieName(publicUrl)).toBe(name);
  });

  test('a console session is refused for a wrong password, a missing field or a forged cookie', async () => {
    const wrong = await ask('POST', '/console/session', {
      body: { ...credentials, password: 'wrong horse' },
    });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(wrong.headers.get('set-cookie')).toBeNull();
    expect((await ask('POST', '/console/session', { body: { email: 'x@example.com' } })).status).toBe(400);
    expect((await ask('GET', '/console/session')).status).toBe(401);
    const name = (await signIn()).cookie.split('=')[0] ?? '';
    for (const value of ['', 'a', 'a~b', '~', 'A'.repeat(200)]) {
      const cookie = `${name}=${value}`;
      expect((await ask('GET', '/console/session', { cookie })).status).toBe(401);
      expect((await ask('DELETE', '/console/session', { cookie })).status).toBe(204);
      expect((await ask('GET', '/v2/users/me', { cookie, csrf: 'x' })).status).toBe(401);
    }
  });
});
