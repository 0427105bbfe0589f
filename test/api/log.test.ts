import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownApi } from '../support/shared-servers.ts';
import type { OwnApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

type Line = Record<string, unknown> & { level: number; msg: string };

describe('the log', () => {
  let product: OwnApi;

  beforeAll(async () => {
    product = await ownApi('log', { LOG_LEVEL: 'info' });
  });
  afterAll(() => product.close());

  const lines = (): Line[] =>
    product
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line);
  const lineOf = (headers: Headers) =>
    eventually(() => lines().find(({ requestId }) => requestId === headers.get('x-request-id')));

  test('the log has one line per request with caller, route and status', async () => {
    const { headers, body } = await product.admin.get('/users/me?x=1');
    const me = (await product.admin.get('/users/me')).body;
    expect(await lineOf(headers)).toMatchObject({
      level: 30,
      msg: 'request',
      method: 'GET',
      route: '/users/:id',
      status: 400,
      code: 'invalid_request',
      durationMs: expect.any(Number),
      bytes: Buffer.byteLength(JSON.stringify(body)),
      address: '127.0.0.1',
      user: me.id,
      organization: product.organization,
      family: expect.any(String),
    });
    expect(lines().filter(({ requestId }) => requestId === headers.get('x-request-id'))).toHaveLength(1);
  });

  test('the log contains the id of the API key of a request', async () => {
    const key = (await product.admin.post('/users/me/apikeys', { name: 'log', scopes: ['admin'] })).body;
    const { headers } = await client(product.base, key.token).get('/users/me');
    expect(await lineOf(headers)).toMatchObject({ status: 200, apiKey: key.id });
  });

  test('the log contains no password, token, query or body', async () => {
    const anonymous = client(product.base);
    const login = await anonymous.post('/auth/token', product.login);
    const { token, refreshToken } = login.body;
    const refreshed = await client(product.base, token).get(`/auth/token?refreshToken=${refreshToken}`);
    const { headers } = await product.admin.post('/users', { role: 'bot', givenName: 'Private name' });
    await lineOf(headers);
    const output = product.output();
    for (const secret of [
      ...[product.login.password, token, refreshToken, 'refreshToken='],
      ...[refreshed.body.token, 'Private name', 'Bearer'],
    ]) {
      expect(output).not.toContain(secret);
    }
  });

  test('the log omits probes', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) await fetch(`${product.origin}${path}`);
    await lineOf((await product.admin.get('/users/me')).headers);
    expect(
      lines().filter(({ route }) => ['/healthz', '/readyz', '/metrics'].includes(route as string)),
    ).toEqual([]);
    // Probes log no error, even while their dependencies are not ready.
    expect(lines().filter(({ level }) => level >= 50)).toEqual([]);
  });
});
