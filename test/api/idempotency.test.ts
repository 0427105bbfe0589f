import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { conclusive } from '../support/conclusive.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';

/** Spec 2.8, `Idempotency-Key`. */
describe('an Idempotency-Key', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('idempotency');
  });
  afterAll(() => product.close());

  const under = (key: string) => ({ 'Idempotency-Key': key });

  test('a repeated Idempotency-Key returns the first response again and repeats no work', async () => {
    const conversation = (await product.admin.post('/conversations', {})).body.id;
    const post = () => product.admin.post('/messages', { conversation, text: 'once' }, under('a-1'));
    const [first, again] = [await post(), await post()];
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await product.admin.get(`/conversations/${conversation}`)).body.messages).toHaveLength(1);
  });

  test('a repeated Idempotency-Key does not show a secret again', async () => {
    const user = (await product.admin.post('/users', { role: 'bot' })).body.id as string;
    const body = { name: 'once', scopes: ['bot'] };
    const create = () => product.admin.post(`/users/${user}/apikeys`, body, under('key-once'));
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const tokens = both.flatMap((one) => ('token' in one.body ? [one.body.token as string] : []));
    expect(tokens).toEqual([expect.stringMatching(/^plk_/)]);
    const { token: _, ...shown } = both.find((one) => 'token' in one.body)?.body ?? {};
    expect((await create()).body).toEqual(shown);
    expect((await product.admin.get(`/users/${user}/apikeys`)).body).toHaveLength(1);
    const path = `/organizations/${product.organization}/widget/secret`;
    const secret = () => product.admin.post(path, {}, under('secret-once'));
    expect((await secret()).body).toHaveProperty('secret');
    expect((await secret()).body).not.toHaveProperty('secret');
  });

  test('an Idempotency-Key makes concurrent duplicates wait for the first response', async () => {
    const body = { organization: product.organization, contact: { profile: { email: 'idem@example.com' } } };
    const post = () =>
      product.admin.post('/conversations', { ...body, messages: [{ text: 'hi' }] }, under('b-1'));
    const answers = await Promise.all(Array.from({ length: 8 }, post));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(7);
    expect(answers[0]?.body.messages).toHaveLength(1);
  });

  test('an Idempotency-Key makes a duplicate at another process wait for the first response', async () => {
    const second = await secondSharedApi();
    // The first request waits five seconds for the receiver.
    await conclusive(5_000, async () => {
      const receiver = await startReceiver();
      const name = `slow ${randomUUID()}`;
      const key = under(randomUUID());
      try {
        let goOn = () => undefined as unknown;
        receiver.behave((response, request) => (goOn = () => respondWith(200)(response, request)));
        const body = { name, type: 'webhook', params: { url: receiver.url } };
        let answered = 0;
        const post = (base: string) =>
          client(base, product.token)
            .post('/services', body, key)
            .finally(() => (answered += 1));
        const first = post(product.base);
        await eventually(() => receiver.received.length >= 1, { everyMs: 5 });
        const duplicates = [post(second.base), post(product.base)];
        // Requests with another key, or with another body, do not wait.
        const other = under(randomUUID());
        expect((await client(second.base, product.token).post('/contacts', {}, other)).status).toBe(201);
        const different = await client(second.base, product.token).post('/contacts', {}, key);
        expect([different.status, answered]).toEqual([422, 0]);
        goOn();
        const answers = await Promise.all([first, ...duplicates]);
        expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
        expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
          null,
          'true',
          'true',
        ]);
        expect(answers.slice(1).map((one) => one.body)).toEqual([answers[0].body, answers[0].body]);
        // The service may already have received an event about the new contact, as a POST.
        expect(receiver.received.filter(({ method }) => method === 'GET')).toHaveLength(1);
        expect((await product.admin.get(`/services?name=${encodeURIComponent(name)}`)).body).toHaveLength(1);
      } finally {
        await receiver.close();
      }
    });
  });

  test('an Idempotency-Key rejects another body or another path with 422', async () => {
    await product.admin.post('/users', { role: 'bot', givenName: 'one' }, under('d-1'));
    const body = await product.admin.post('/users', { role: 'bot', givenName: 'two' }, under('d-1'));
    const path = await product.admin.post('/contacts', { role: 'bot', givenName: 'one' }, under('d-1'));
    expect([body.status, path.status]).toEqual([422, 422]);
  });

  test('an Idempotency-Key compares JSON bodies by value, not by spelling', async () => {
    const spellings = [
      '{"role":"bot","givenName":"Zo\u00eb","meta":{"n":1,"m":[100]}}',
      '{ "meta": { "m": [1e2], "n": 1.0 },\n "givenName": "Zo\\u00eb", "role": "bot" }',
    ];
    const answers = [];
    for (const text of spellings)
      answers.push(
        await product.admin.request('POST', '/users', text, {
          ...under('s-1'),
          'Content-Type': 'application/json',
        }),
      );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const other = await product.admin.post('/users', { role: 'bot', givenName: 'Zoe' }, under('s-1'));
    expect([other.status, other.body.message]).toEqual([
      422,
      'Idempotency-Key: was used for another request',
    ]);
  });

  test('an Idempotency-Key of a caller has no effect for another caller', async () => {
    const other = await newUser(product, { role: 'admin' });
    const first = await product.admin.post('/users', { role: 'bot' }, under('e-1'));
    const second = await other.post('/users', { role: 'bot' }, under('e-1'));
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  test('a repeated Idempotency-Key returns no response from an organization that the caller has left', async () => {
    const [one, other] = [
      (await product.admin.post('/organizations', { name: 'one' })).body.id,
      (await product.admin.post('/organizations', { name: 'other' })).body.id,
    ];
    const mover = await newUser(product, { role: 'admin', organization: one });
    const conversation = (await mover.post('/conversations', {})).body.id;
    const post = () => mover.post('/messages', { conversation, text: 'of one' }, under('m-1'));
    const make = () => mover.post('/contacts', { profile: { name: 'Ada' } }, under('m-2'));
    const [posted, made] = [await post(), await make()];
    expect([posted.status, made.status]).toEqual([201, 201]);
    expect((await make()).body.id).toBe(made.body.id);
    await product.admin.request('PATCH', `/users/${mover.user}`, { organization: other });
    expect((await post()).status).toBe(404);
    const anew = await make();
    expect([anew.status, anew.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(anew.body.organization).toBe(other);
    expect((await make()).body.id).toBe(anew.body.id);
    await product.admin.request('PATCH', `/users/${mover.user}`, { organization: one });
    expect((await post()).headers.get('idempotent-replayed')).toBe('true');
    expect((await product.admin.get(`/conversations/${conversation}`)).body.messages).toHaveLength(1);
  });

  test('a repeated Idempotency-Key returns no response to a caller with fewer rights than the first caller', async () => {
    const user = await newUser(product, { role: 'admin' });
    const lower = await product.admin.post(`/users/${user.user}/apikeys`, { name: 'low', scopes: ['guest'] });
    const asGuest = client(product.base, lower.body.token);
    const conversation = (await user.post('/conversations', {})).body.id;
    const post = (caller: ApiClient) =>
      caller.post('/messages', { conversation, text: 'secret', role: 'agent' }, under('r-1'));
    expect((await post(user)).status).toBe(201);
    expect((await post(asGuest)).status).toBe(403);
    expect((await post(user)).headers.get('idempotent-replayed')).toBe('true');
    await product.admin.request('PATCH', `/users/${user.user}`, { role: 'viewer' });
    expect((await post(user)).status).toBe(403);
  });

  test('a refusal is not stored under an Idempotency-Key', async () => {
    const late = { role: 'bot', organization: '' };
    expect((await product.admin.post('/users', late, under('f-1'))).status).toBe(400);
    const taken = { role: 'agent', email: 'taken@example.com' };
    await product.admin.post('/users', taken);
    expect((await product.admin.post('/users', taken, under('f-2'))).status).toBe(409);
    const holder = (await product.admin.get('/users?email=taken@example.com')).body[0].id;
    await product.admin.request('DELETE', `/users/${holder}`);
    const repeated = await product.admin.post('/users', taken, under('f-2'));
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test.each([['x'.repeat(129)], ['with space'], ['ä']])(
    'an Idempotency-Key is rejected if it is malformed',
    async (key) => {
      const encoded = Buffer.from(key, 'utf8').toString('latin1');
      expect((await product.admin.post('/users', { role: 'bot' }, under(encoded))).status).toBe(400);
    },
  );
});
