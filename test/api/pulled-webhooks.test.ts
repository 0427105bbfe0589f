import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '@parlance/client';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';

interface PulledEvent {
  id: string;
  event: string;
  data: { conversation: { id: string; name?: string } };
}

/** Spec 7.13. */
describe('a webhook without an address', () => {
  let product: Product;
  let service: string;

  beforeAll(async () => {
    product = await sharedApi('pulled_webhooks');
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    service = await register({ events: ['conversation.create'] });
  });

  const register = async (params: object, more: object = {}): Promise<string> => {
    const { status, body } = await product.admin.post('/services', {
      name: 'feed',
      type: 'webhook',
      params,
      ...more,
    });
    expect([status, body.status]).toEqual([201, 'active']);
    return body.id;
  };
  const create = async (name: string) =>
    (await product.admin.post('/conversations', { name })).body.id as string;
  const pull = (query = 'wait=20', by: ApiClient = product.admin) =>
    by.get(`/services/${service}/events?${query}`);
  const acknowledge = (ids: string[], by: ApiClient = product.admin) =>
    by.post(`/services/${service}/events/ack`, { ids });

  test('a long poll returns an event when it is stored, and an acknowledged event does not come again', async () => {
    const waiting = pull('wait=20');
    const id = await create('awaited');
    const { status, headers, body } = await waiting;
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject([{ event: 'conversation.create', data: { conversation: { id } } }]);
    const ids = (body as PulledEvent[]).map((one) => one.id);
    expect((await acknowledge(ids)).body).toEqual({ acknowledged: 1 });
    expect((await acknowledge(ids)).body).toEqual({ acknowledged: 0 });
    expect((await pull('wait=0')).body).toEqual([]);
    const log = (await product.admin.get(`/deliveries?service=${service}`)).body;
    expect(log).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
    const replayed = await product.admin.post(`/services/${service}/replay`, {
      since: '2020-01-01',
      status: 'delivered',
    });
    expect(replayed.body.replayed).toBe(1);
    expect((await pull()).body).toMatchObject([{ id: ids[0] }]);
  });

  test('pullers at two API processes share no event', async () => {
    const second = client((await secondSharedApi()).base, product.token);
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => create(`shared ${n}`)));
    const got: string[] = [];
    await eventually(async () => {
      const answers = await Promise.all([pull('limit=3'), pull('limit=3', second)]);
      got.push(
        ...answers.flatMap(({ body }) => (body as PulledEvent[]).map(({ data }) => data.conversation.id)),
      );
      return got.length >= made.length;
    });
    expect(got.toSorted()).toEqual(made.toSorted());
  });

  test('creators side by side lose no record to a puller, as they lose some to a list that is followed by id', async () => {
    const got = new Set<string>();
    const feed = createClient({ url: product.base, token: product.token });
    const end = new AbortController();
    const pulling = (async () => {
      for await (const { data } of feed.events(service, { signal: end.signal, visibility: 60 })) {
        got.add(data.conversation?.id ?? '');
      }
    })().catch(() => undefined);
    const made = await Promise.all(
      Array.from({ length: 5 }, async (_, k) => {
        const ids: string[] = [];
        for (let at = 0; at < 8; at += 1) ids.push(await create(`creator ${k} ${at}`));
        return ids;
      }),
    );
    await eventually(() => got.size >= 40);
    end.abort();
    await pulling;
    expect([...got].toSorted()).toEqual(made.flat().toSorted());
    await eventually(
      async () =>
        (await product.admin.get(`/deliveries?service=${service}&status=pending`)).body.length === 0,
    );
  });

  test('an event whose handling fails comes again, and events handled before it do not', async () => {
    await create('first');
    await create('poison');
    const feed = createClient({ url: product.base, token: product.token });
    const names: (string | undefined)[] = [];
    const run = async () => {
      for await (const { data } of feed.events(service, { visibility: 1, limit: 1 })) {
        names.push(data.conversation?.name);
        if (data.conversation?.name === 'poison') throw new Error('not handled');
      }
    };
    await expect(run()).rejects.toThrow('not handled');
    await expect(run()).rejects.toThrow('not handled');
    expect(names).toEqual(['first', 'poison', 'poison']);
  });

  test('an event that a long poll has waited for is handled, also where the wait was longer than the visibility timeout', async () => {
    const feed = createClient({ url: product.base, token: product.token });
    const end = new AbortController();
    const names: (string | undefined)[] = [];
    const pulling = (async () => {
      for await (const { data } of feed.events(service, { visibility: 1, signal: end.signal })) {
        names.push(data.conversation?.name);
      }
    })().catch(() => undefined);
    // Outlasts the visibility timeout of the client's poll.
    await pull('wait=2');
    await create('late');
    await eventually(() => names.length > 0);
    end.abort();
    await pulling;
    expect(names).toEqual(['late']);
  });

  test('the bot of a webhook pulls its events, and other callers below an admin do not', async () => {
    const bot = await newUser(product, { role: 'bot' });
    service = await register({}, { user: bot.user });
    const conversation = await create('with a bot');
    await product.admin.request('PATCH', `/conversations/${conversation}`, {
      participants: [{ user: bot.user }],
    });
    const { body } = await pull('wait=20', bot);
    expect(body[0].data.conversation.id).toBe(conversation);
    expect((await acknowledge([body[0].id], bot)).body).toEqual({ acknowledged: 1 });
    const others = [await newUser(product, { role: 'bot' }), await newUser(product, { role: 'agent' })];
    for (const other of others) {
      expect((await pull('wait=0', other)).status).toBe(403);
      expect((await acknowledge(['x'], other)).status).toBe(403);
    }
  });

  test.each([
    'limit=0',
    'limit=501',
    'wait=21',
    'wait=-1',
    'visibility=0',
    'visibility=3601',
    'limit=x',
    'offset=1',
  ])('a pull with %s is refused with 400', async (query) => {
    expect((await pull(query)).status).toBe(400);
  });

  test('an acknowledgement without ids, or with too many, is refused with 400', async () => {
    for (const ids of [[], [''], Array(1_001).fill('x'), ['x'.repeat(101)], 'x', null]) {
      expect((await product.admin.post(`/services/${service}/events/ack`, { ids })).status).toBe(400);
    }
  });

  test('a webhook that gets an address is sent what has waited, and a webhook that loses it is pulled', async () => {
    const receiver = await startReceiver();
    try {
      const waited = await create('waited');
      const params = { url: receiver.url, events: ['conversation.create'] };
      expect((await product.admin.post(`/services/${service}/verify`, {})).status).toBe(422);
      expect((await product.admin.post(`/services/${service}/test`, {})).status).toBe(422);
      const sent = await product.admin.request('PATCH', `/services/${service}`, { params });
      await untilActive(product.admin, sent);
      await eventually(() => receiver.received.some(({ body }) => body.includes(waited)));
      expect((await pull('wait=0')).status).toBe(422);
      receiver.behave(respondWith(500));
      const failing = await create('failing');
      await eventually(() => receiver.received.some(({ body }) => body.includes(failing)));
      await product.admin.request('PATCH', `/services/${service}`, {
        params: { events: ['conversation.create'] },
      });
      const later = await create('later');
      const got: string[] = [];
      await eventually(async () => {
        const { body } = await pull('wait=1');
        got.push(...(body as PulledEvent[]).map(({ data }) => data.conversation.id));
        return got.includes(failing) && got.includes(later);
      });
    } finally {
      await receiver.close();
    }
  });

  test('a paused webhook is not pulled, and keeps what has waited until it is active again', async () => {
    const id = await create('kept');
    await eventually(
      async () => (await product.admin.get(`/deliveries?service=${service}`)).body.length >= 1,
    );
    const set = (status: string) => product.admin.request('PATCH', `/services/${service}`, { status });
    expect((await set('disabled')).body.status).toBe('disabled');
    expect((await pull('wait=0')).status).toBe(422);
    expect((await set('active')).body.status).toBe('active');
    expect((await pull()).body).toMatchObject([{ data: { conversation: { id } } }]);
  });
});
