import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readWorkerConfig } from '../../platform/config/processes.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { deliveryModel } from '../../store/delivery/deliveries.ts';
import type { DeliveryDocument } from '../../store/delivery/deliveries.ts';
import { addService, findDeliveries, queue, loadService, startDrain } from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

/** The default waits between the attempts of a delivery, in seconds. */
const { webhookRetrySeconds: LADDER } = readWorkerConfig({
  MONGODB_URI: 'mongodb://127.0.0.1:1',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  AUTH_SECRET: 'a secret that is long enough for a ladder',
});
/** Long waits between attempts: no wait ends while the machine stalls for some seconds. */
const LONG_LADDER = LADDER.map((seconds) => 20 * seconds);
/** Tolerance for the measurement of the store's clock, which is less exact on a busy machine. */
const CLOCK_MS = 5_000;

useStore();

let receiver: Receiver;
let drain: RunningDrain;

beforeEach(async () => {
  receiver = await startReceiver();
  drain = startDrain({ retrySeconds: LONG_LADDER });
});

afterEach(async () => {
  await drain.stop();
  await receiver.close();
});

/** Waits until a service's first delivery has `count` attempts. */
function afterAttempts(service: string, count: number): Promise<DeliveryDocument> {
  return eventually(
    async () => {
      const [first] = await findDeliveries(service);
      return first && first.attempts.length >= count && first;
    },
    { everyMs: 10 },
  );
}

/**
 * Asserts that the wait for the next attempt is `least` to `most` times the planned wait. Requires
 * that the last attempt began after `since` and has ended.
 */
function expectWait(
  { dueAt }: DeliveryDocument,
  { since, seconds, times: [least, most] }: { since: number; seconds: number; times: [number, number] },
): void {
  expect(dueAt!.getTime() - since).toBeGreaterThanOrEqual(least * seconds * 1000 - CLOCK_MS);
  expect(dueAt!.getTime() - storeNow()).toBeLessThanOrEqual(most * seconds * 1000 + CLOCK_MS);
}

/** Ends the wait of a delivery. */
async function skipWait({ _id }: DeliveryDocument): Promise<void> {
  await deliveryModel.updateOne({ _id }, { $set: { dueAt: new Date() }, $unset: { retryAt: '' } });
}

describe('the retries of a delivery', () => {
  test('a delivery is attempted ten times over three days with the planned waits and then given up, and the next event is sent', async () => {
    receiver.behave((response, { body }) =>
      response.writeHead(body.includes('"sequence":1}') ? 500 : 200).end(),
    );
    const service = await addService(receiver.url);
    let since = storeNow();
    await queue(service._id, { count: 2 });
    for (const [at, seconds] of LONG_LADDER.entries()) {
      const delivery = await afterAttempts(service._id, at + 1);
      expect(delivery.status).toBe('pending');
      expectWait(delivery, { since, seconds, times: [0.8, 1.2] });
      // The next event of the conversation waits for the first event.
      expect(receiver.received.every(({ body }) => body.includes('"sequence":1}'))).toBe(true);
      since = storeNow();
      await skipWait(delivery);
    }
    const last = await afterAttempts(service._id, LADDER.length + 1);
    expect(last).toMatchObject({ status: 'failed' });
    expect(last.expiresAt!.getTime() - last.finishedAt!.getTime()).toBe(30 * 24 * 3600 * 1000);
    await eventually(async () => (await findDeliveries(service._id))[1]?.status === 'delivered');
    expect(LADDER.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(3 * 24 * 3600);
  });

  test('a delivery honours Retry-After up to twice the planned wait at every attempt', async () => {
    receiver.behave(respondWith(429, '', { 'retry-after': '1000000' }));
    const service = await addService(receiver.url);
    let since = storeNow();
    await queue(service._id);
    for (const [at, seconds] of LONG_LADDER.slice(0, 3).entries()) {
      const delivery = await afterAttempts(service._id, at + 1);
      expectWait(delivery, { since, seconds, times: [2, 2] });
      since = storeNow();
      await skipWait(delivery);
    }
  });
});

describe('failing services', () => {
  test('failing services are reported to the other services of their organization: first a given-up event, then the disabled service', async () => {
    const dead = await startReceiver();
    dead.behave(respondWith(500));
    const params = { url: dead.url.replace('//', '//joe:hidden@'), secret: 'very secret' };
    const failingSince = new Date(Date.now() - 5 * 24 * 3600 * 1000 - 1_000);
    const failing = await addService(dead.url, { params, failingSince, failedEvents: 8 });
    const listening = {
      organization: failing.organization,
      params: { url: receiver.url, events: ['service.error'] },
    };
    await addService(receiver.url, listening);
    await queue(failing._id, { count: 3 });
    await drain.stop();
    drain = startDrain({ retrySeconds: [] });
    await eventually(() => receiver.received.length >= 2);
    const [givenUp, disabled] = receiver.received.map(({ body }) => JSON.parse(body));
    const deliveries = await findDeliveries(failing._id);
    expect(givenUp).toMatchObject({
      event: 'service.error',
      organization: failing.organization,
      activity: { type: 'Flag', actor: { type: 'Service' }, summary: 'A service failed.' },
      data: {
        service: { id: failing._id, status: 'active', params: { url: dead.url } },
        error: {
          delivery: deliveries[0]?._id,
          event: 'message.create.contact.chat',
          outcome: 'rejected',
          status: 500,
        },
      },
    });
    expect(disabled.data).toMatchObject({
      service: { id: failing._id, status: 'disabled' },
      error: { reason: 'No delivery succeeded in five days, and 10 were given up.' },
    });
    expect(JSON.stringify([givenUp, disabled])).not.toMatch(/hidden|very secret/);
    expect(deliveries.map(({ status }) => status)).toEqual(['failed', 'failed', 'skipped']);
    expect((await loadService(failing._id))?.status).toBe('disabled');
    await dead.close();
  });

  test("failing services do not report each other's failed service.error events forever", async () => {
    receiver.behave(respondWith(410));
    const organization = 'a'.repeat(24);
    const services = await Promise.all(
      [1, 2, 3].map(() =>
        addService(receiver.url, { organization, params: { url: receiver.url, events: ['service.error'] } }),
      ),
    );
    const [first] = services;
    await drain.stop();
    drain = startDrain({ retrySeconds: [] });
    await queue(first?._id ?? '');
    await eventually(async () => {
      const all = await Promise.all(services.map(({ _id }) => loadService(_id)));
      return all.every((one) => one?.status === 'disabled');
    });
    // Each other service got one event about the first service, and no event about failures of such
    // events.
    expect(receiver.received).toHaveLength(3);
    expect(await deliveryModel.countDocuments({ organization, status: 'pending' })).toBe(0);
  });
});
