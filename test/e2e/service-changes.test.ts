import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUser, startApi, startSecondApi } from '../support/api.ts';
import { arrivals, firstArrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { answer, hang, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { expectWithinASecond } from '../support/within-a-second.ts';

const DATABASE = 'service-changes';
const EVENTS = ['message.create.*'];

let product: Product;
let admin: Client;
let former: Receiver;
let next: Receiver;

beforeAll(async () => {
  product = await startApi(DATABASE);
  ({ admin } = product);
});

afterAll(() => product.close());

beforeEach(async () => {
  [former, next] = await Promise.all([startReceiver(), startReceiver()]);
});

afterEach(() => Promise.all([former.close(), next.close()]));

/** A receiver's verification that is answered when told, while its deliveries are taken. */
function verifiedWhenTold() {
  const asked: (() => void)[] = [];
  const behaviour: Behaviour = (response, { method }) => {
    if (method === 'POST') response.writeHead(200).end();
    else asked.push(() => response.writeHead(200).end());
  };
  return { behaviour, asked, tell: () => asked.splice(0).forEach((yes) => yes()) };
}

async function register(url: string, fields: object = {}, organization = product.organization) {
  const { body } = await admin.post('/services', {
    ...{ name: 'listener', type: 'webhook', organization, ...fields },
    params: { url, events: EVENTS },
  });
  return body;
}

const patch = (id: string, body: object) => admin.request('PATCH', `/services/${id}`, body);
const move = (id: string, url: string) => patch(id, { params: { url, events: EVENTS } });

async function newConversation(): Promise<string> {
  return (await admin.post('/conversations', { name: 'a talk' })).body.id;
}

async function say(conversation: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    expect((await admin.post('/messages', { conversation, text })).status).toBe(201);
  }
}

const texts = (receiver: Receiver) => firstArrivals(receiver).map(({ json }) => json.data.message.text);

async function deliveriesOf(service: string) {
  return (await admin.get(`/deliveries?service=${service}&sort=sequence`)).body;
}

async function expectSoonAfter(activeAt: number): Promise<void> {
  const tookMs = performance.now() - activeAt;
  const askedAt = performance.now();
  await admin.get('/users/me');
  expectWithinASecond([tookMs], [performance.now() - askedAt]);
}

const remove = (service: string) => admin.request('DELETE', `/services/${service}`);

describe('what happens while a service is not active', () => {
  it('waits while its changed url is verified, and is sent there in order within a second', async () => {
    const service = await register(former.url);
    const conversation = await newConversation();
    await say(conversation, 'before');
    await eventually(() => texts(former).length === 1);
    const { behaviour, asked, tell } = verifiedWhenTold();
    next.behave(behaviour);
    const moved = move(service.id, next.url);
    await eventually(() => asked.length === 1);
    await say(conversation, 'one', 'two', 'three');
    const waiting = await deliveriesOf(service.id);
    expect(waiting.map(({ status }: any) => status)).toEqual(['delivered', ...Array(3).fill('pending')]);
    expect(waiting[1]).not.toHaveProperty('nextAttemptAt');
    expect(Date.parse(waiting[1].expiresAt) - Date.parse(waiting[1].createdAt)).toBeGreaterThan(
      29 * 24 * 3600 * 1000,
    );
    tell();
    expect((await moved).body).toMatchObject({ status: 'active', params: { url: next.url } });
    const activeAt = performance.now();
    await eventually(() => texts(next).length === 3, { everyMs: 10 });
    await expectSoonAfter(activeAt);
    await say(conversation, 'after');
    await eventually(() => texts(next).length === 4);
    expect(texts(next)).toEqual(['one', 'two', 'three', 'after']);
    expect(texts(former)).toEqual(['before']);
    const done = await eventually(async () => {
      const found = await deliveriesOf(service.id);
      return found.every(({ status }: any) => status === 'delivered') && found;
    });
    expect(done).toHaveLength(5);
    await remove(service.id);
  });

  it('waits while its new url is refused, for the one that is taken in the end', async () => {
    const service = await register(former.url);
    const conversation = await newConversation();
    next.behave(answer(404));
    expect((await move(service.id, next.url)).body.status).toBe('failed');
    await say(conversation, 'one', 'two');
    expect((await deliveriesOf(service.id)).map(({ status }: any) => status)).toEqual(['pending', 'pending']);
    expect((await admin.post(`/services/${service.id}/verify`)).body.status).toBe('failed');
    await say(conversation, 'three');
    next.behave(answer(200));
    expect((await admin.post(`/services/${service.id}/verify`)).body.status).toBe('active');
    await eventually(() => texts(next).length === 3);
    expect(texts(next)).toEqual(['one', 'two', 'three']);
    expect(arrivals(former)).toEqual([]);
    await remove(service.id);
  });

  it('waits for a service that is verified for the first time, from its creation on', async () => {
    const { behaviour, asked, tell } = verifiedWhenTold();
    next.behave(behaviour);
    const created = register(next.url);
    await eventually(() => asked.length === 1);
    // Whoever stores events knows of it when it is answered.
    const service = await created;
    expect(service.status).toBe('pending');
    const conversation = await newConversation();
    await say(conversation, 'hello');
    tell();
    await eventually(() => texts(next).length === 1);
    expect((await admin.get(`/services/${service.id}`)).body.status).toBe('active');
    await remove(service.id);
  });

  it('does not wait for an attempt that hangs at the former url', async () => {
    const service = await register(former.url);
    former.behave(hang);
    const conversation = await newConversation();
    await say(conversation, 'one', 'two');
    await eventually(() => arrivals(former).length === 1);
    expect((await move(service.id, next.url)).body.status).toBe('active');
    const activeAt = performance.now();
    await eventually(() => texts(next).length === 2, { everyMs: 10 });
    await expectSoonAfter(activeAt);
    expect(texts(next)).toEqual(['one', 'two']);
    await remove(service.id);
  });

  it('does not wait for the next attempt that the ladder planned at the former url', async () => {
    const service = await register(former.url);
    former.behave(answer(503));
    const conversation = await newConversation();
    await say(conversation, 'one', 'two');
    // The third of the waits is two seconds.
    await eventually(() => arrivals(former).length === 3);
    expect((await move(service.id, next.url)).body.status).toBe('active');
    const activeAt = performance.now();
    await eventually(() => texts(next).length === 2, { everyMs: 10 });
    await expectSoonAfter(activeAt);
    await remove(service.id);
  });

  it('is all there, in order, after fifty changes of the url during five hundred posts at two API processes', async () => {
    const second = await startSecondApi(DATABASE);
    const others = client(second.base, product.token);
    const urls = [former.url, next.url];
    const service = await register(former.url);
    const conversations = await Promise.all(Array.from({ length: 10 }, newConversation));
    const changing = (async () => {
      for (let change = 1; change <= 50; change += 1) {
        const to = urls[change % 2];
        // Every tenth one is refused.
        for (const receiver of [former, next]) receiver.behave(change % 10 === 5 ? refusing : answer(200));
        const by = change % 3 === 0 ? others : admin;
        const moved = await by.request('PATCH', `/services/${service.id}`, {
          params: { url: to, events: EVENTS },
        });
        expect(moved.status).toBe(200);
      }
    })();
    await Promise.all(
      conversations.map(async (conversation, at) => {
        const by = at % 2 ? admin : others;
        for (let n = 1; n <= 50; n += 1) {
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
    const expected = Array.from({ length: 50 }, (_, at) => `${at + 1}`);
    for (const conversation of conversations) {
      const said = arrived
        .map(({ json }) => json.data.message)
        .filter((message) => message.conversation === conversation)
        .map(({ text }) => text);
      expect([...new Set(said)]).toEqual(expected);
    }
    await Promise.all([second.close(), remove(service.id)]);
  }, 180_000);
});

/** Takes deliveries and refuses to be verified. */
const refusing: Behaviour = (response, { method }) => response.writeHead(method === 'POST' ? 200 : 404).end();

describe('a service that an admin disables', () => {
  it('keeps what waits, skips what comes, and goes on when it is active again', async () => {
    const service = await register(former.url);
    const conversation = await newConversation();
    former.behave(answer(503));
    await say(conversation, 'one', 'two');
    await eventually(() => arrivals(former).length > 0);
    const paused = await patch(service.id, { status: 'disabled' });
    expect(paused).toMatchObject({
      status: 200,
      body: { status: 'disabled', statusReason: expect.any(String) },
    });
    await say(conversation, 'skipped');
    const attempts = arrivals(former).length;
    // A paused service stays so with another url, and what it answered before does not matter.
    expect((await move(service.id, next.url)).body.status).toBe('disabled');
    expect(next.received).toEqual([]);
    const found = await deliveriesOf(service.id);
    expect(found.map(({ status }: any) => status)).toEqual(['pending', 'pending', 'skipped']);
    const resumed = await patch(service.id, { status: 'active' });
    expect(resumed.body).toMatchObject({ status: 'active' });
    expect(resumed.body).not.toHaveProperty('statusReason');
    expect(next.received[0]?.method).toBe('GET');
    await eventually(() => texts(next).length === 2);
    await say(conversation, 'after');
    await eventually(() => texts(next).length === 3);
    expect(texts(next)).toEqual(['one', 'two', 'after']);
    expect(arrivals(former).length).toBeLessThanOrEqual(attempts + 1);
    await remove(service.id);
  });

  it('is refused by its webhook like any other when it shall be active again', async () => {
    const service = await register(former.url);
    await patch(service.id, { status: 'disabled' });
    former.behave(answer(404));
    expect((await patch(service.id, { status: 'active' })).body).toMatchObject({
      status: 'failed',
      statusReason: 'Verification failed: it answered 404.',
    });
    await remove(service.id);
  });

  it('can be sent back as it was read; states that only its webhook decides cannot be asked for', async () => {
    const service = await register(former.url);
    const { body } = await admin.get(`/services/${service.id}`);
    expect((await patch(service.id, { ...body, name: 'renamed' })).body).toMatchObject({
      status: 'active',
      name: 'renamed',
    });
    expect((await patch(service.id, { status: 'failed' })).status).toBe(422);
    expect((await patch(service.id, { status: 'paused' })).status).toBe(400);
    expect((await patch(service.id, { status: null })).status).toBe(400);
    await remove(service.id);
  });
});

describe('a webhook that takes its time to be verified', () => {
  it('does not hang the request that registers it, and is verified all the same', async () => {
    const { behaviour, asked, tell } = verifiedWhenTold();
    next.behave(behaviour);
    const startedAt = performance.now();
    const { status, body } = await admin.post('/services', {
      ...{ name: 'slow', type: 'webhook' },
      params: { url: next.url },
    });
    expect([status, body.status]).toEqual([201, 'pending']);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await eventually(() => asked.length === 1);
    tell();
    await eventually(async () => (await admin.get(`/services/${body.id}`)).body.status === 'active');
    await remove(body.id);
  });

  it('is verified by a worker where the process that asked it was killed', async () => {
    const second = await startSecondApi(DATABASE, { WEBHOOK_TIMEOUT_MS: '1000' });
    next.behave(hang);
    void client(second.base, product.token)
      .post('/services', { name: 'left', type: 'webhook', params: { url: next.url } })
      .catch(() => undefined);
    await eventually(() => next.received.length === 1, { everyMs: 10 });
    await second.kill();
    next.behave(answer(200));
    const service = await eventually(
      async () => {
        const { body } = await admin.get('/services?name=left');
        return body[0]?.status === 'active' && body[0];
      },
      { withinMs: 60_000, everyMs: 500 },
    );
    await remove(service.id);
  });
});

describe("a deleted bot's services", () => {
  it('are disabled with the reason, skip what comes, and are not verified again', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const service = await register(former.url, { user: bot.user });
    expect(service.status).toBe('active');
    expect((await admin.request('DELETE', `/users/${bot.user}`)).status).toBe(204);
    const { body } = await admin.get(`/services/${service.id}`);
    expect(body).toMatchObject({ status: 'disabled', statusReason: 'Its bot was deleted.' });
    expect((await admin.post(`/services/${service.id}/verify`)).status).toBe(422);
    expect((await patch(service.id, { status: 'active' })).status).toBe(422);
    expect((await move(service.id, next.url)).status).toBe(422);
    const other = await newUser(product, { role: 'bot' });
    expect((await patch(service.id, { user: other.user, status: 'active' })).body.status).toBe('active');
    await remove(service.id);
  });
});
