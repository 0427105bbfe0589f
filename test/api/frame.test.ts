import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/api.ts';
import { client } from '../support/client.ts';
import type { Product } from '../support/product.ts';

/** What all requests have in common: contract 2. */
describe('every request', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startApi('frame');
  });
  afterAll(() => product.close());

  test('is answered with a request id and security headers', async () => {
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

  test('is refused in one shape of body', async () => {
    const { status, body } = await product.admin.post('/users', { role: 'king', email: 5 });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: expect.stringContaining('email'),
      code: 'invalid_request',
      error: { message: body.message },
      details: [
        { path: 'email', message: 'must be string' },
        { path: 'role', message: 'must be one of viewer, agent, bot, admin' },
      ],
    });
  });

  test.each([
    ['an unknown path', 'GET', '/nowhere', 404, 'not_found'],
    ['a method the path does not know', 'PUT', '/users', 405, 'method_not_allowed'],
    ['a method nobody knows', 'PROPFIND', '/users', 405, 'method_not_allowed'],
    ['an unknown record', 'GET', '/users/ffffffffffffffffffffffff', 404, 'not_found'],
    ['an id that is none', 'GET', '/users/x', 404, 'not_found'],
    ['an unknown query parameter', 'GET', '/users/me?select=name&x=1', 400, 'invalid_request'],
  ])('for %s is refused', async (_, method, path, status, code) => {
    const answer = await product.admin.request(method, path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('names the methods of a path that it refuses', async () => {
    const { headers } = await product.admin.request('PUT', '/users');
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test.each([
    ['malformed JSON', '{"role":', 400, 'invalid_json'],
    ['no body', '', 400, 'invalid_json'],
    ['a body that is no object', '[]', 400, 'invalid_request'],
    ['a NUL character', '{"role":"bot","givenName":"a\\u0000b"}', 400, 'invalid_request'],
    ['half a surrogate pair', '{"role":"bot","givenName":"\\ud800"}', 400, 'invalid_request'],
    ['a number without bounds', '{"role":"bot","meta":{"n":1e999}}', 400, 'invalid_request'],
    ['a prototype key', '{"role":"bot","meta":{"__proto__":{"a":1}}}', 400, 'invalid_request'],
    ['an operator as key', '{"role":"bot","meta":{"$where":"1"}}', 400, 'invalid_request'],
    [
      'ten thousand levels',
      `{"role":"bot","meta":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`,
      400,
      'invalid_request',
    ],
    ['more than 1 MiB', JSON.stringify({ role: 'bot', avatar: 'x'.repeat(1 << 20) }), 413, 'too_large'],
  ])('with %s is refused and leaves nothing behind', async (_, body, status, code) => {
    const before = (await product.admin.get('/users')).headers.get('x-total');
    const answer = await product.admin.post('/users', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await product.admin.get('/users')).headers.get('x-total')).toBe(before);
  });

  test('with more than 1 MiB of unannounced length is refused and answered', async () => {
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
    ['another type', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a compressed body', { 'Content-Encoding': 'gzip' }],
  ])('with %s is refused with 415', async (_, headers) => {
    const { status, body } = await product.admin.post('/users', '{"role":"bot"}', headers);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('may hold unknown fields, fields of the service and null, which are ignored', async () => {
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

describe('the probes and the reference', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startApi('probes');
  });
  afterAll(() => product.close());

  const fetched = async (path: string) => {
    const response = await fetch(`${product.origin}${path}`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };

  test('tell that the process lives and that all it needs answers', async () => {
    expect((await fetched('/healthz')).status).toBe(200);
    const ready = await fetched('/readyz');
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.text)).toMatchObject({
      status: 'ok',
      checks: { mongodb: { ok: true }, temporal: { ok: true }, worker: { ok: true } },
    });
  });

  test('count requests by route pattern, never by path', async () => {
    await product.admin.get('/users/ffffffffffffffffffffffff');
    const { text } = await fetched('/metrics');
    expect(text).toContain('route="/users/:id",status="404"');
    expect(text).not.toContain('ffffffffffffffffffffffff');
  });

  test('describe every route in OpenAPI 3.1, and load nothing from elsewhere', async () => {
    const document = JSON.parse((await fetched('/openapi.json')).text);
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.paths['/conversations/{id}/messages'].post.requestBody.required).toBe(true);
    const page = await fetched('/docs');
    expect(page.type).toContain('text/html');
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(loaded.length).toBeGreaterThan(2);
    for (const url of loaded) {
      expect(url).toMatch(/^\//);
      expect((await fetched(url)).status).toBe(200);
    }
  });

  test('answer 503 in /readyz when no worker does', async () => {
    await product.worker.stop();
    await expect
      .poll(async () => JSON.parse((await fetched('/readyz')).text).checks.worker.ok, { timeout: 15_000 })
      .toBe(false);
    expect((await fetched('/readyz')).status).toBe(503);
    expect((await fetched('/healthz')).status).toBe(200);
  });
});

/** Spec 8. */
describe('the rate limit', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startApi('limits', { RATE_LIMIT_PER_SECOND: '10', TRUSTED_PROXIES: '1' });
  });
  afterAll(() => product.close());

  const from = (address: string, token?: string) => {
    const caller = client(product.base, token);
    return () => caller.request('GET', '/users/me', undefined, { 'X-Forwarded-For': address });
  };
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

  test('counts by address, says how much is left, and refuses what is above it', async () => {
    const ask = from('203.0.113.1');
    const answers = [];
    for (let n = 0; n < 12; n += 1) answers.push(await ask());
    expect(statuses(answers)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('10');
    expect(answers.slice(0, 3).map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
      '9',
      '8',
      '7',
    ]);
    expect(answers.at(-1)?.body.code).toBe('rate_limited');
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('1');
    expect((await from('203.0.113.2')()).status).toBe(401);
  });

  test('counts by key, whatever the addresses', async () => {
    const answers = [];
    for (let n = 0; n < 12; n += 1) answers.push(await from(`203.0.114.${n}`, 'some-key')());
    expect(statuses(answers).slice(-2)).toEqual([429, 429]);
  });

  test('believes only what the trusted proxy says of the address', async () => {
    const answers = [];
    for (let n = 0; n < 12; n += 1) answers.push(await from(`198.51.100.${n}, 203.0.115.1`)());
    expect(statuses(answers).slice(-2)).toEqual([429, 429]);
  });
});
