import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { listening, textsAt, verifiedWhenTold } from '../support/listening.ts';
import { startLoneApi } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { respondWith, hang, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive, untilVerified } from '../support/services.ts';

let product: Product;
let admin: ApiClient;
let former: Receiver;
let next: Receiver;

beforeAll(async () => {
  product = await sharedApi('service-states');
  ({ admin } = product);
});

afterAll(() => product.close());

beforeEach(async () => {
  [former, next] = await Promise.all([startReceiver(), startReceiver()]);
});

afterEach(() => Promise.all([former.close(), next.close()]));

const { register, patch, move, remove, newConversation, say, findDeliveries } = listening(() => admin);

describe('a service disabled by an admin', () => {
  test('a service disabled by an admin keeps its pending deliveries, skips new events, and sends again once it is active', async () => {
    const service = await register(former.url);
    const conversation = await newConversation();
    former.behave(respondWith(503));
    await say(conversation, 'one', 'two');
    await eventually(() => arrivals(former).length > 0);
    const paused = await patch(service.id, { status: 'disabled' });
    expect(paused).toMatchObject({
      status: 200,
      body: { status: 'disabled', statusReason: expect.any(String) },
    });
    await say(conversation, 'skipped');
    const attempts = arrivals(former).length;
    // A disabled service stays disabled when its url changes, and the new url is not verified.
    expect((await move(service.id, next.url)).body.status).toBe('disabled');
    expect(next.received).toEqual([]);
    const found = await findDeliveries(service.id);
    expect(found.map(({ status }: any) => status)).toEqual(['pending', 'pending', 'skipped']);
    const resumed = await untilActive(admin, await patch(service.id, { status: 'active' }));
    expect(resumed).not.toHaveProperty('statusReason');
    expect(next.received[0]?.method).toBe('GET');
    await eventually(() => textsAt(next).length >= 2);
    await say(conversation, 'after');
    await eventually(() => textsAt(next).length >= 3);
    expect(textsAt(next)).toEqual(['one', 'two', 'after']);
    expect(arrivals(former).length).toBeLessThanOrEqual(attempts + 1);
    await remove(service.id);
  });

  test('a service disabled by an admin becomes active again only after a successful verification', async () => {
    const service = await register(former.url);
    await patch(service.id, { status: 'disabled' });
    former.behave(respondWith(404));
    expect(await untilVerified(admin, await patch(service.id, { status: 'active' }))).toMatchObject({
      status: 'failed',
      statusReason: 'Verification failed: it responded with 404.',
    });
    await remove(service.id);
  });

  test('a service accepts a PATCH with its own representation, but not with a status that only verification sets', async () => {
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

describe('a webhook with a slow verification', () => {
  test('a webhook with a slow verification does not delay the request that registers it, and becomes active later', async () => {
    const { behaviour, asked, tell } = verifiedWhenTold();
    next.behave(behaviour);
    const { status, body } = await admin.post('/services', {
      ...{ name: 'slow', type: 'webhook' },
      params: { url: next.url },
    });
    // The registration returns before the verification request has a response.
    expect([status, body.status]).toEqual([201, 'pending']);
    await eventually(() => asked.length >= 1);
    tell();
    await eventually(async () => (await admin.get(`/services/${body.id}`)).body.status === 'active');
    await remove(body.id);
  });

  test('a webhook with a slow verification is verified by a worker after the API process was killed', async () => {
    const second = await startLoneApi(product.environment, { WEBHOOK_TIMEOUT_MS: '1000' });
    next.behave(hang);
    void client(second.base, product.token)
      .once.post('/services', { name: 'left', type: 'webhook', params: { url: next.url } })
      .catch(() => undefined);
    await eventually(() => next.received.length >= 1, { everyMs: 10 });
    await second.kill();
    next.behave(respondWith(200));
    const service = await eventually(
      async () => {
        const { body } = await admin.get('/services?name=left');
        return body[0]?.status === 'active' && body[0];
      },
      { everyMs: 500 },
    );
    await remove(service.id);
  });
});

describe('the services of a deleted bot', () => {
  test('the services of a deleted bot are disabled with a reason, and are verified again only for another bot', async () => {
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
    await untilActive(admin, await patch(service.id, { user: other.user, status: 'active' }));
    await remove(service.id);
  });
});
