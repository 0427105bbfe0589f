import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodsByFixedPath } from '../../api/middleware/paths.ts';
import { ROUTES } from '../../api/routes.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const ABSENT = 'ffffffffffffffffffffffff';
const OF_DELIVERY = `${ABSENT}-1:${ABSENT}`;

const named = ROUTES.filter(({ path }) => /:(id|key)\b/.test(path)).map(
  (row) => [`${row.method} ${row.path}`, row] as const,
);

/** Spec 2.1. */
describe('an id in a path', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('path-ids');
  });
  afterAll(() => product.close());

  const ask = (method: string, path: string) => product.admin.request(method, path);

  test.each(named)('a malformed id in a path is rejected with 400: %s', async (_, { method, path }) => {
    const isUser = path.startsWith('/users/');
    const wrong = ['xyz', ABSENT.toUpperCase(), `${ABSENT}0`, '%24where', ...(isUser ? [] : ['me'])];
    for (const id of [...wrong, path.startsWith('/deliveries/') ? ABSENT : OF_DELIVERY]) {
      const { status, body } = await ask(method, path.replace(':id', id).replace(':key', ABSENT));
      expect([id, status, body.code, body.details]).toEqual([
        id,
        400,
        'invalid_request',
        [{ path: 'id', message: expect.stringMatching(/^must be (an id, 24 hex|the id of a delivery)/) }],
      ]);
    }
  });

  test('a malformed id of an API key in a path is 400', async () => {
    const { status, body } = await ask('DELETE', '/users/me/apikeys/xyz');
    expect([status, body.details[0].path]).toEqual([400, 'key']);
    expect((await ask('DELETE', `/users/me/apikeys/${ABSENT}`)).status).toBe(404);
  });

  test.each(named.filter(([, { method }]) => method === 'GET'))(
    'the id of an absent record in a path is rejected with 404: %s',
    async (_, { method, path }) => {
      const id = path.startsWith('/deliveries/') ? OF_DELIVERY : ABSENT;
      expect((await ask(method, path.replace(':id', id))).status).toBe(404);
    },
  );

  test('without a token, a request with a malformed id in the path is rejected with 401', async () => {
    expect((await fetch(`${product.base}/users/xyz`)).status).toBe(401);
  });

  test.each([
    ['/channels/teams', 'HEAD, GET'],
    ['/conversations/search', 'HEAD, GET'],
    ['/conversations/stream', 'HEAD, GET'],
    ['/events/retry', 'POST'],
    ['/eventtypes/preview', 'POST'],
    ['/messages/search', 'HEAD, GET'],
    ['/users/colleagues', 'HEAD, GET'],
    ['/users/me/otp', 'POST, PUT, DELETE'],
  ])('the fixed path %s is not read as an id, and allows only %s', async (path, allowed) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      if (allowed.split(', ').includes(method)) continue;
      for (const spelling of [path, `${path}/`]) {
        const { status, body, headers } = await ask(method, spelling);
        expect([method, spelling, status, body.code, headers.get('allow')]).toEqual([
          ...[method, spelling, 405, 'method_not_allowed', allowed],
        ]);
      }
    }
    const options = await fetch(`${product.base}${path}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([200, allowed]);
  });

  test('the tests of fixed paths cover every fixed path of the API', () => {
    expect([...methodsByFixedPath(ROUTES).keys()].sort()).toEqual([
      '/channels/teams',
      '/conversations/search',
      '/conversations/stream',
      '/events/retry',
      '/eventtypes/preview',
      '/messages/search',
      '/users/colleagues',
      '/users/me/otp',
    ]);
  });

  test('a malformed conversation id in a query is 400', async () => {
    expect((await ask('GET', '/links?conversation=xyz')).status).toBe(400);
    expect((await ask('GET', `/links?conversation=${ABSENT}`)).status).toBe(404);
  });
});
