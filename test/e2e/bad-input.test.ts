import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';

/** Spec 2: bad input gets a clear error and stores nothing. */
describe('bad input to the API', () => {
  let product: Product;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('bad_input');
    conversation = (await product.admin.post('/conversations', { name: 'target' })).body.id;
  });

  afterAll(() => product.close());

  const posts: [string, number, unknown][] = [
    ['malformed JSON', 400, '{"conversation":'],
    ['a body that is not an object', 400, '"text"'],
    ['a missing conversation', 400, { text: 'x' }],
    ['a missing text', 400, { conversation: '$id' }],
    ['an empty text', 400, { conversation: '$id', text: '' }],
    ['a text of the wrong type', 400, { conversation: '$id', text: 7 }],
    ['a type outside its enum', 400, { conversation: '$id', text: 'x', type: 'shout' }],
    ['an empty array', 400, []],
    ['an array with one bad message', 400, [{ conversation: '$id', text: 'good' }, { conversation: '$id' }]],
    [
      'an array for two conversations',
      400,
      [
        { conversation: '$id', text: 'a' },
        { conversation: 'ffffffffffffffffffffffff', text: 'b' },
      ],
    ],
    ['a meta key with a dot', 400, { conversation: '$id', text: 'x', meta: { 'a.b': 1 } }],
    ['a prototype key', 400, '{"conversation":"$id","text":"x","meta":{"__proto__":{"a":1}}}'],
    ['an unknown conversation', 404, { conversation: 'ffffffffffffffffffffffff', text: 'x' }],
    ['an invalid conversation id', 404, { conversation: '../users', text: 'x' }],
    [
      'mixed actions',
      422,
      {
        conversation: '$id',
        text: 'x',
        actions: [
          { type: 'reply', text: 'a', payload: 'a' },
          { type: 'link', text: 'b', uri: 'https://example.com' },
        ],
      },
    ],
    ['items on a status', 422, { conversation: '$id', type: 'status', text: 'x', items: [{ title: 'a' }] }],
  ];

  test.each(posts)('a post with %s is refused with %d and stores nothing', async (_, status, body) => {
    const before = await product.admin.get(`/messages?conversation=${conversation}`);
    const text = (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll('$id', conversation);
    const answer = await product.admin.post('/messages', text);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body).toMatchObject({
      message: expect.any(String),
      code: expect.any(String),
      error: { message: answer.body.message },
    });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    const after = await product.admin.get(`/messages?conversation=${conversation}`);
    expect(after.headers.get('x-total')).toBe(before.headers.get('x-total'));
  });

  test('a request with no token or a broken token gets 401, and a wrong password gets the same response as an unknown user', async () => {
    const anonymous = client(product.base);
    expect((await anonymous.get('/conversations')).status).toBe(401);
    expect((await client(product.base, 'not-a-token').get('/conversations')).status).toBe(401);
    const wrong = await anonymous.post('/auth/token', {
      email: 'admin@parlance.local',
      password: 'wrong password',
    });
    const unknown = await anonymous.post('/auth/token', {
      email: 'nobody@parlance.local',
      password: 'wrong password',
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual(unknown.body);
  });

  test('a request for a conversation of another organization gets 404, and a body that names another organization gets 403', async () => {
    const child = await product.admin.post('/organizations', { name: 'Child' });
    const agent = await product.admin.post('/users', {
      role: 'admin',
      email: 'child@example.com',
      password: 'correct horse battery',
      organization: child.body.id,
    });
    expect(agent.status).toBe(201);
    const session = await client(product.base).post('/auth/token', {
      email: 'child@example.com',
      password: 'correct horse battery',
    });
    const foreigner = client(product.base, session.body.token);
    expect((await foreigner.get(`/conversations/${conversation}`)).status).toBe(404);
    expect((await foreigner.post('/messages', { conversation, text: 'x' })).status).toBe(404);
    expect((await foreigner.post('/conversations', { organization: product.organization })).status).toBe(403);
  });

  test('an unknown path gets 404, a wrong method 405, a wrong content type 415 and a huge body 413', async () => {
    expect((await product.admin.get('/nothing')).status).toBe(404);
    expect((await product.admin.request('PUT', '/messages', {})).status).toBe(405);
    expect((await product.admin.post('/messages', 'text', { 'Content-Type': 'text/csv' })).status).toBe(415);
    expect(
      (await product.admin.post('/messages', { conversation, text: 'x'.repeat(1_100_000) })).status,
    ).toBe(413);
  });
});
