import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 2, `X-Ignored-Fields`: the header names ignored fields, so that callers notice typos. */
describe('the X-Ignored-Fields header', () => {
  let product: Product;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('ignored-fields');
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });
  afterAll(() => product.close());

  async function ignoredIn(method: string, path: string, body: unknown, headers = {}) {
    const answer = await product.admin.request(method, path, body, headers);
    return [answer.status, answer.headers.get('x-ignored-fields')];
  }

  test('the X-Ignored-Fields header names unknown and read-only fields', async () => {
    const user = { id: 'mine', role: 'bot', createdAt: '2000-01-01T00:00:00Z', givnName: 'Ada' };
    expect(await ignoredIn('POST', '/users', user)).toEqual([201, 'id, createdAt, givnName']);
  });

  test('the X-Ignored-Fields header is absent if all fields are known, including null and any key of meta', async () => {
    const user = { role: 'bot', givenName: null, meta: { anything: { at: 'all' } } };
    expect(await ignoredIn('POST', '/users', user)).toEqual([201, null]);
    expect((await product.admin.get('/users/me')).headers.get('x-ignored-fields')).toBeNull();
  });

  test('the X-Ignored-Fields header names nested fields by path, with list positions from 0', async () => {
    const organization = { name: 'Nested', categories: [{ name: 'a' }, { name: 'b', froms: [] }] };
    expect(await ignoredIn('POST', '/organizations', organization)).toEqual([201, 'categories.1.froms']);
    const messages = [{ text: 'a' }, { text: 'b', foo: 1, items: [{ title: 't', bar: 1 }] }];
    expect(await ignoredIn('POST', `/conversations/${conversation}/messages`, messages)).toEqual([
      201,
      '1.foo, 1.items.0.bar',
    ]);
  });

  test('the X-Ignored-Fields header names fields of an upsert and of its messages', async () => {
    const upsert = {
      organization: product.organization,
      contact: { profile: { email: 'ignored@example.com', nmae: 'Ada' }, tags: [] },
      messages: [{ text: 'hello', foo: 1, sequence: 7 }],
      slug: 'mine',
    };
    const expected = 'contact.profile.nmae, contact.tags, messages.0.foo, messages.0.sequence, slug';
    expect(await ignoredIn('POST', '/conversations', upsert)).toEqual([201, expected]);
    expect(await ignoredIn('POST', '/conversations', upsert)).toEqual([200, expected]);
  });

  test('the X-Ignored-Fields header names fields that a PATCH of a message cannot change', async () => {
    const { id } = (await product.admin.post('/messages', { conversation, text: 'before' })).body;
    const patch = { text: 'after', type: 'card', role: 'agent', sequence: 1, conversation };
    expect(await ignoredIn('PATCH', `/messages/${id}`, patch)).toEqual([
      200,
      'type, role, sequence, conversation',
    ]);
  });

  test('the X-Ignored-Fields header names role and contentType of a message type without these fields', async () => {
    const command = {
      conversation,
      type: 'command',
      text: '/set a b',
      role: 'agent',
      contentType: 'text/plain',
    };
    expect(await ignoredIn('POST', '/messages', command)).toEqual([201, 'role, contentType']);
    const list = [
      { conversation, text: 'a', role: 'agent' },
      { ...command, contentType: null },
    ];
    expect(await ignoredIn('POST', '/messages', list)).toEqual([201, '1.role']);
    expect(await ignoredIn('POST', '/conversations', { foo: 1, messages: [command] })).toEqual([
      201,
      'foo, messages.0.conversation, messages.0.role, messages.0.contentType',
    ]);
  });

  test('the X-Ignored-Fields header is part of the response to a repeated Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'ignored-1' };
    const command = { conversation, type: 'command', text: '/set c d', role: 'agent', foo: 1 };
    const first = await ignoredIn('POST', '/messages', command, key);
    expect(first).toEqual([201, 'foo, role']);
    expect(await ignoredIn('POST', '/messages', command, key)).toEqual(first);
  });

  test('the X-Ignored-Fields header is part of a refusal, because the missing field may be mistyped', async () => {
    expect(await ignoredIn('POST', '/users', { rloe: 'bot' })).toEqual([400, 'rloe']);
    const mixed = [
      { type: 'reply', text: 'a', payload: 'a' },
      { type: 'link', text: 'b', uri: 'https://example.com/' },
    ];
    const message = { conversation, text: 'x', actions: mixed, foo: 1 };
    expect(await ignoredIn('POST', '/messages', message)).toEqual([422, 'foo']);
  });

  test('the X-Ignored-Fields header names at most twenty fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, n]));
    const [status, named] = await ignoredIn('POST', '/users', { role: 'bot', ...many });
    expect([status, String(named).split(', ')]).toEqual([
      201,
      Array.from({ length: 20 }, (_, n) => `field${n}`),
    ]);
  });

  test('the X-Ignored-Fields header percent-encodes and shortens unusual field names', async () => {
    const odd = {
      'naïve\r\nSet-Cookie: a=b': 1,
      'a.b, c': 2,
      ['x'.repeat(100_000)]: 3,
      ['😀'.repeat(50)]: 4,
    };
    const [status, named] = await ignoredIn('POST', '/users', { role: 'bot', ...odd });
    expect(status).toBe(201);
    const [first, second, third = '', fourth = ''] = String(named).split(', ');
    expect(first).toBe('na%C3%AFve%0D%0ASet-Cookie%3A%20a%3Db');
    expect(second).toBe('a%2Eb%2C%20c');
    expect(third).toMatch(/^x{60,70}\.\.\.$/);
    expect(fourth).toMatch(/^(%F0%9F%98%80){5}\.\.\.$/);
  });

  test('the X-Ignored-Fields header names fields that a guest cannot change in their own user', async () => {
    const viewer = await newUser(product, { role: 'viewer' });
    const { status, headers } = await viewer.request('PATCH', '/users/me', {
      givenName: 'Ada',
      scope: 'admin',
    });
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'scope']);
  });
});
