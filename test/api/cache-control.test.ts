import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { Product } from '../support/product.ts';

const KEEPS = 'private, no-cache';
const FORGETS = 'no-store';

/** Spec 2, `Cache-Control`. */
describe('the Cache-Control header', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('cache-control');
  });
  afterAll(() => product.close());

  const keeping = ({ headers }: { headers: Headers }) => headers.get('cache-control');

  test('the Cache-Control header is `private, no-cache` on responses without a secret, also on refusals', async () => {
    const { admin, origin } = product;
    const answers = await Promise.all([
      admin.get('/users/me'),
      admin.get('/users'),
      admin.post('/conversations', {}),
      admin.request('HEAD', '/users'),
      admin.get('/users/ffffffffffffffffffffffff'),
      admin.get('/nowhere'),
      admin.request('PUT', '/users'),
      client(product.base).get('/users'),
      ...['/healthz', '/openapi.json', '/docs', '/nowhere'].map((path) => fetch(`${origin}${path}`)),
    ]);
    expect(answers.map(keeping)).toEqual(answers.map(() => KEEPS));
  });

  test('the Cache-Control header is no-store on every response under /v2/auth', async () => {
    const anonymous = client(product.base);
    const login = await anonymous.post('/auth/token', product.login);
    expect(login.status).toBe(200);
    const answers = [
      login,
      await anonymous.post('/auth/token', { ...product.login, password: 'wrong' }),
      await anonymous.post('/auth/token', '{'),
      await anonymous.get('/auth/token?refreshToken=x'),
      await anonymous.get('/auth/nowhere'),
    ];
    expect(answers.map(keeping)).toEqual(answers.map(() => FORGETS));
  });

  test('the Cache-Control header is no-store on responses about API keys and on responses with a webhook secret, also if `populate` adds the secret to a message', async () => {
    const { admin } = product;
    const bot = await newUser(product, { role: 'bot' });
    const params = { url: 'http://127.0.0.1:9/', secret: 'a secret of a receiver' };
    const service = await admin.post('/services', { name: 's', type: 'webhook', params });
    const at = `/services/${service.body.id}`;
    const { id: conversation } = (await admin.post('/conversations', {})).body;
    await admin.post('/messages', { conversation, text: 'a', service: service.body.id });
    const populated = await admin.get(`/messages?conversation=${conversation}&populate=service`);
    expect(populated.body[0].service.params).toEqual(params);
    const answers = [
      await admin.post(`/users/${bot.user}/apikeys`, { name: 'k', scopes: ['bot'] }),
      await admin.get(`/users/${bot.user}/apikeys`),
      service,
      await admin.get('/services'),
      await admin.get(at),
      await admin.request('PATCH', at, { name: 't' }),
      populated,
      await admin.get(`/messages/${populated.body[0].id}?populate=service`),
    ];
    expect(answers.map(({ status }) => status).every((status) => status < 300)).toBe(true);
    expect(answers.map(keeping)).toEqual(answers.map(() => FORGETS));
    const plain = await admin.get(`/messages?conversation=${conversation}`);
    expect(keeping(plain)).toBe(KEEPS);
  });

  test('the Cache-Control header is no-store on every route whose response schema contains a secret', () => {
    const secret = /"(secret|token|refreshToken)":\{/;
    const telling = ROUTES.filter(({ path }) => !path.startsWith('/auth/')).filter(({ answer }) =>
      secret.test(JSON.stringify(answer ?? {})),
    );
    expect(telling.length).toBeGreaterThan(5);
    expect(telling.filter((row) => !row.secret).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('the Cache-Control header is no-store on the chat page, because the address of the page contains the chat key', async () => {
    const { url } = (await product.admin.post('/conversations', {})).body;
    const answers = await Promise.all([fetch(url), fetch(`${url}/messages`), fetch(`${url}x/messages`)]);
    expect(answers.map(keeping)).toEqual(answers.map(() => FORGETS));
  });

  test('the Cache-Control header is part of the response to a request that is not HTTP', async () => {
    const socket = connect(Number(new URL(product.origin).port), '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    let said = '';
    for await (const chunk of socket) said += String(chunk);
    expect(said).toContain(`Cache-Control: ${KEEPS}`);
  });

  test('a response names the headers of the API in Access-Control-Expose-Headers', async () => {
    const { headers } = await product.admin.get('/users');
    const exposed = (headers.get('access-control-expose-headers') ?? '').split(',');
    const telling = [
      'ETag',
      'Location',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
    ];
    const others = ['X-Request-Id', 'X-Ignored-Fields', 'Idempotent-Replayed', 'Link', 'X-Total', 'X-Range'];
    expect(exposed).toEqual(expect.arrayContaining([...telling, ...others]));
  });
});
