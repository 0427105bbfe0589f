import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import { listening, MESSAGES, textsAt, verifiedWhenTold } from '../support/listening.ts';
import type { Product } from '../support/product.ts';
import { respondWith, hang, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { untilActive, untilVerified } from '../support/services.ts';

/**
 * Number of url changes, and of posts to each conversation. `npm run test:load` makes more
 * (test/load/service-changes.test.ts).
 */
const [CHANGES, POSTS] = LOAD_MINUTES > 0 ? [50, 50] : [20, 20];

let product: Product;
let admin: ApiClient;
let former: Receiver;
let next: Receiver;

beforeAll(async () => {
  product = await sharedApi('service-changes');
  ({ admin } = product);
});

afterAll(() => product.close());

beforeEach(async () => {
  [former, next] = await Promise.all([startReceiver(), startReceiver()]);
});

afterEach(() => Promise.all([former.close(), next.close()]));

const { register, move, remove, newConversation, say, findDeliveries } = listening(() => admin);
const verify = (service: string) => admin.post(`/services/${service}/verify`);

describe('an event during a change of its service', () => {
  test('events for an inactive service wait while the changed url is verified, and are then sent to that url in order', async () => {
    const service = await register(former.url);
    const conversation = await newConversation();
    await say(conversation, 'before');
    await eventually(() => textsAt(former).length >= 1);
    const { behaviour, asked, tell } = verifiedWhenTold();
    next.behave(behaviour);
    const moved = move(service.id, next.url);
    await eventually(() => asked.length >= 1);
    await say(conversation, 'one', 'two', 'three');
    const waiting = await findDeliveries(service.id);
    expect(waiting.map(({ status }: any) => status)).toEqual(['delivered', ...Array(3).fill('pending')]);
    expect(waiting[1]).not.toHaveProperty('nextAttemptAt');
    expect(Date.parse(waiting[1].expiresAt) - Date.parse(waiting[1].createdAt)).toBeGreaterThan(
      29 * 24 * 3600 * 1000,
    );
    tell();
    expect(await untilActive(admin, await moved)).toMatchObject({ params: { url: next.url } });
    await eventually(() => textsAt(next).length >= 3);
    await say(conversation, 'after');
    await eventually(() => textsAt(next).length >= 4);
    expect(textsAt(next)).toEqual(['one', 'two', 'three', 'after']);
    expect(textsAt(former)).toEqual(['before']);
    const done = await eventually(async () => {
      const found = await findDeliveries(service.id);
      return found.every(({ status }: any) => status === 'delivered') && found;
    });
    expect(done).toHaveLength(5);
    await remove(service.id);
  });

  test('events for an inactive service wait while the new url fails verification, and are sent to that url once it passes', async () => {
    const service = await register(former.url);
    const conversation = await newConversation();
    next.behave(respondWith(404));
    expect((await untilVerified(admin, await move(service.id, next.url))).status).toBe('failed');
    await say(conversation, 'one', 'two');
    expect((await findDeliveries(service.id)).map(({ status }: any) => status)).toEqual([
      'pending',
      'pending',
    ]);
    expect((await untilVerified(admin, await verify(service.id))).status).toBe('failed');
    await say(conversation, 'three');
    next.behave(respondWith(200));
    await untilActive(admin, await verify(service.id));
    await eventually(() => textsAt(next).length >= 3);
    expect(textsAt(next)).toEqual(['one', 'two', 'three']);
    expect(arrivals(former)).toEqual([]);
    await remove(service.id);
  });

  test('an event that follows the creation of a service waits for the first verification of the service', async () => {
    const { behaviour, asked, tell } = verifiedWhenTold();
    next.behave(behaviour);
    const params = { url: next.url, events: MESSAGES };
    const created = admin.post('/services', { name: 'slow', type: 'webhook', params });
    await eventually(() => asked.length >= 1);
    // The creation returns only after every process has read the service.
    const { body: service } = await created;
    expect(service.status).toBe('pending');
    const conversation = await newConversation();
    await say(conversation, 'hello');
    tell();
    await eventually(() => textsAt(next).length >= 1);
    await untilActive(admin, await admin.get(`/services/${service.id}`));
    await remove(service.id);
  });

  test('an event for a service with a new url does not wait for an attempt that hangs at the former url', async () => {
    const service = await register(former.url);
    former.behave(hang);
    const conversation = await newConversation();
    await say(conversation, 'one', 'two');
    await eventually(() => arrivals(former).length >= 1);
    await untilActive(admin, await move(service.id, next.url));
    await eventually(() => textsAt(next).length >= 2);
    // If the delivery had waited for the hanging attempt, that attempt would be counted as timed
    // out.
    const counts = async () =>
      (await findDeliveries(service.id)).map(({ attemptCount }: any) => attemptCount);
    await expect.poll(counts).toEqual([1, 1]);
    expect(textsAt(next)).toEqual(['one', 'two']);
    await remove(service.id);
  });

  test('an event for a service with a new url does not wait for the planned retry at the former url', async () => {
    const service = await register(former.url);
    // The next attempt is due in an hour, long after this test.
    former.behave(respondWith(503, '', { 'retry-after': '3600' }));
    const conversation = await newConversation();
    await say(conversation, 'one', 'two');
    const planned = await eventually(async () => {
      const [first] = await findDeliveries(service.id);
      return first?.attemptCount === 1 && first.nextAttemptAt;
    });
    await untilActive(admin, await move(service.id, next.url));
    await eventually(() => textsAt(next).length >= 2);
    expect(Date.now()).toBeLessThan(Date.parse(planned));
    expect(textsAt(next)).toEqual(['one', 'two']);
    await remove(service.id);
  });

  test('events for a service are delivered in order although its url changes often during posts at two API processes', async () => {
    const second = await secondSharedApi();
    const others = client(second.base, product.token);
    const urls = [former.url, next.url];
    const service = await register(former.url);
    const conversations = await Promise.all(Array.from({ length: 10 }, newConversation));
    const changing = (async () => {
      for (let change = 1; change <= CHANGES; change += 1) {
        const to = urls[change % 2];
        // The new url of every tenth change fails verification.
        for (const receiver of [former, next])
          receiver.behave(change % 10 === 5 ? refusing : respondWith(200));
        const by = change % 3 === 0 ? others : admin;
        const moved = await by.request('PATCH', `/services/${service.id}`, {
          params: { url: to, events: MESSAGES },
        });
        expect(moved.status).toBe(200);
      }
    })();
    await Promise.all(
      conversations.map(async (conversation, at) => {
        const by = at % 2 ? admin : others;
        for (let n = 1; n <= POSTS; n += 1) {
          const { status } = await by.post('/messages', { conversation, text: `${n}` });
          expect(status).toBe(201);
        }
      }),
    );
    await changing;
    await eventually(
      async () =>
        (await admin.get(`/deliveries?service=${service.id}&status=pending&limit=1`)).body.length === 0,
    );
    const arrived = [...arrivals(former), ...arrivals(next)].sort((a, b) => a.at - b.at);
    const expected = Array.from({ length: POSTS }, (_, at) => `${at + 1}`);
    for (const conversation of conversations) {
      const said = arrived
        .map(({ json }) => json.data.message)
        .filter((message) => message.conversation === conversation)
        .map(({ text }) => text);
      expect([...new Set(said)]).toEqual(expected);
    }
    await remove(service.id);
  });
});

/** Accepts deliveries (POST) and fails verification. */
const refusing: Behaviour = (response, { method }) => response.writeHead(method === 'POST' ? 200 : 404).end();
