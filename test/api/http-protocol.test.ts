import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startLoneApi } from '../support/product.ts';
import type { Product } from '../support/product.ts';

/** Spec 2: rules for all requests. */
describe('every request', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('frame');
  });
  afterAll(() => product.close());

  test('a response has a request id and security headers', async () => {
    const answers = await Promise.all([product.admin.get('/users/me'), product.admin.get('/nowhere')]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    for (const { headers } of answers) {
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const exposed = headers.get('access-control-expose-headers') ?? '';
      for (const name of ['X-Total', 'X-Total-Pages', 'X-Per-Page', 'X-Page', 'X-Range', 'Link']) {
        expect(exposed).toContain(name);
      }
    }
  });

  test('a request keeps the request id of the caller if that id is safe to log', async () => {
    const idFor = async (given: string) =>
      (await product.admin.request('GET', '/users/me', undefined, { 'X-Request-Id': given })).headers.get(
        'x-request-id',
      );
    expect(await idFor('order-1.2_3')).toBe('order-1.2_3');
    for (const odd of ['a b', '{"a":1}', 'x'.repeat(65)]) expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a request with HEAD gets the response of GET, without the body', async () => {
    const { status, headers, body } = await product.admin.request('HEAD', '/users');
    expect([status, body, headers.get('x-total')]).toEqual([200, undefined, '1']);
    expect((await client(product.base).request('HEAD', '/users')).status).toBe(401);
    expect((await fetch(`${product.origin}/healthz`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${product.origin}/openapi.json`, { method: 'HEAD' })).status).toBe(200);
  });

  test('a request with OPTIONS gets the CORS headers, and the methods in Allow', async () => {
    const asked = (headers: Record<string, string>) =>
      fetch(`${product.base}/users`, { method: 'OPTIONS', headers });
    const preflight = await asked({
      Origin: 'https://example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key');
    const plain = await asked({});
    expect(plain.status).toBe(200);
    expect(plain.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  async function said(text: string) {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1');
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as { code: string } };
  }

  test('a request that is not HTTP, or has an oversized head, is rejected with an error body of the common shape', async () => {
    const nonsense = await said('HELLO\r\n\r\n');
    expect([nonsense.status, nonsense.body.code]).toEqual([400, 'invalid_request']);
    expect(nonsense.head).toContain('X-Request-Id: ');
    const long = await said(`GET /v2/users?name=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([long.status, long.body.code]).toEqual([431, 'too_large']);
  });

  test.each([
    ['without Host', 'GET /v2/users/me HTTP/1.1\r\nConnection: close', 400, 'invalid_request'],
    [
      'with two Host headers',
      'GET /v2/users/me HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close',
      400,
      'invalid_request',
    ],
    [
      'with an unknown Expect header',
      'POST /v2/users HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe',
      417,
      'invalid_request',
    ],
    ['with the method CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x', 405, 'method_not_allowed'],
  ])('a request %s is rejected with an error body of the common shape', async (_, head, status, code) => {
    const answer = await said(`${head}\r\n\r\n`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.head).toContain('X-Request-Id: ');
  });

  test('the path of a request is case-sensitive, so capitals do not bypass the rate limit', async () => {
    expect((await fetch(`${product.origin}/V2/users/me`)).status).toBe(404);
    expect((await product.admin.get('/Users/me')).status).toBe(404);
    const { slug } = (await product.admin.post('/conversations', {})).body;
    expect((await fetch(`${product.origin}/c/${slug}`)).status).toBe(200);
    expect((await fetch(`${product.origin}/C/${slug}`)).status).toBe(404);
  });

  test('a request that the caller aborts while sending the body counts as 400 in the metrics, not as 500', async () => {
    // Uses a separate API process, so that the metrics count only the requests of this test.
    const own = await startLoneApi(product.environment);
    const { origin, port } = new URL(own.base);
    const metrics = async () => (await fetch(`${origin}/metrics`)).text();
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /v2/kbitems HTTP/1.1', 'Host: x', `Authorization: Bearer ${product.token}`];
    const length = ['Content-Type: application/json', 'Content-Length: 50'];
    socket.write(`${[...head, ...length].join('\r\n')}\r\n\r\n{"title":`);
    // Two requests are open: the aborted request and the request for the metrics.
    await eventually(async () => /^parlance_http_requests_under_way 2$/m.test(await metrics()));
    socket.resetAndDestroy();
    const counted = /^parlance_http_request_duration_seconds_count\{.*kbitems.*$/gm;
    const lines = await eventually(async () => (await metrics()).match(counted));
    expect(lines).toEqual([expect.stringMatching(/status="400".* 1$/)]);
    await own.close();
  });

  test.each(['/users/%E0%A4%A', '/users/%00', '/users/%2e%2e%2f', '/users/$where', '/users/__proto__'])(
    'a request for the path %s is rejected without a server error',
    async (path) => {
      const { status, body } = await product.admin.get(path);
      expect([400, 404]).toContain(status);
      expect(body.message).toBeTypeOf('string');
    },
  );

  test('the error body of an invalid request lists each invalid field', async () => {
    const { status, body } = await product.admin.post('/users', { role: 'king', email: 5 });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: expect.stringContaining('email'),
      code: 'invalid_request',
      error: { message: body.message },
      details: [
        { path: 'email', message: 'must be a text' },
        { path: 'role', message: 'must be one of viewer, agent, bot, admin' },
      ],
    });
  });

  test.each([
    ['an unknown path', 'GET', '/nowhere', 404, 'not_found'],
    ['a method that the path does not have', 'PUT', '/users', 405, 'method_not_allowed'],
    ['an unknown method', 'PROPFIND', '/users', 405, 'method_not_allowed'],
    ['an unknown record', 'GET', '/users/ffffffffffffffffffffffff', 404, 'not_found'],
    ['an invalid id', 'GET', '/users/x', 400, 'invalid_request'],
    ['an unknown query parameter', 'GET', '/users/me?select=name&x=1', 400, 'invalid_request'],
  ])('a request with %s is rejected', async (_, method, path, status, code) => {
    const answer = await product.admin.request(method, path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('a request with a wrong method gets the allowed methods in Allow', async () => {
    const { headers } = await product.admin.request('PUT', '/users');
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test.each([
    ['malformed JSON', '{"role":', 400, 'invalid_json'],
    ['no body', '', 400, 'invalid_json'],
    ['a body that is no object', '[]', 400, 'invalid_request'],
    ['a NUL character', '{"role":"bot","givenName":"a\\u0000b"}', 400, 'invalid_request'],
    ['half a surrogate pair', '{"role":"bot","givenName":"\\ud800"}', 400, 'invalid_request'],
    ['a number that is out of range', '{"role":"bot","meta":{"n":1e999}}', 400, 'invalid_request'],
    ['a prototype key', '{"role":"bot","meta":{"__proto__":{"a":1}}}', 400, 'invalid_request'],
    ['a key that is an operator', '{"role":"bot","meta":{"$where":"1"}}', 400, 'invalid_request'],
    [
      'ten thousand levels of nesting',
      `{"role":"bot","meta":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`,
      400,
      'invalid_request',
    ],
    ['more than 1 MiB', JSON.stringify({ role: 'bot', avatar: 'x'.repeat(1 << 20) }), 413, 'too_large'],
  ])('a request with %s is rejected and stores nothing', async (_, body, status, code) => {
    const before = (await product.admin.get('/users')).headers.get('x-total');
    const answer = await product.admin.post('/users', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await product.admin.get('/users')).headers.get('x-total')).toBe(before);
  });

  test('a request with more than 1 MiB in chunked encoding gets 413', async () => {
    const status = await new Promise((resolve, reject) => {
      const url = `${product.base}/auth/token`;
      const headers = { 'Content-Type': 'application/json' };
      const sending = httpRequest(url, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sending.once('error', reject);
      for (let n = 0; n < 40; n += 1) sending.write('x'.repeat(64 * 1024));
      sending.end();
    });
    expect(status).toBe(413);
  });

  test.each([
    ['the content type text/plain', { 'Content-Type': 'text/plain' }],
    ['a form-encoded body', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a compressed body', { 'Content-Encoding': 'gzip' }],
  ])('a request with %s is rejected with 415', async (_, headers) => {
    const { status, body } = await product.admin.post('/users', '{"role":"bot"}', headers);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('a request may contain unknown fields, read-only fields and null, which are ignored', async () => {
    const { status, body } = await product.admin.post('/users', {
      id: 'mine',
      role: 'bot',
      givenName: null,
      createdAt: '2000-01-01T00:00:00Z',
      unheardOf: true,
    });
    expect(status).toBe(201);
    expect(body.id).not.toBe('mine');
    expect(body.createdAt).not.toContain('2000');
    expect(body).not.toHaveProperty('givenName');
    expect(body).not.toHaveProperty('unheardOf');
  });
});
