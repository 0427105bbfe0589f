import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leaseModel } from '../../store/cluster/leases.ts';
import { insertDeliveries } from '../../store/delivery/deliveries.ts';
import {
  addService,
  findDeliveries,
  queue,
  rowsFor,
  loadService,
  startDrain,
  findStatuses,
} from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { respondWith, closeAtOnce, hang, script, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

let receiver: Receiver;
let drain: RunningDrain | null = null;

useStore();

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await drain?.stop();
  drain = null;
  await receiver.close();
});

const sequences = (from = receiver) =>
  from.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);

const allAre = (service: string, status: string) =>
  eventually(async () => {
    const statuses = await findStatuses(service);
    expect(new Set(statuses)).toEqual(new Set([status]));
    return statuses;
  });

describe('the delivery drain', () => {
  test('the delivery drain sends the stored bodies of a conversation in order, once, and logs each attempt', async () => {
    receiver.behave(respondWith(200, 'thanks'));
    const service = await addService(receiver.url, {
      params: { url: receiver.url, secret: 'a secret' },
    });
    const rows = await queue(service._id, { count: 40 });
    drain = startDrain();
    await allAre(service._id, 'delivered');
    expect(receiver.received.map(({ body }) => body)).toEqual(rows.map(({ body }) => body));
    expect(receiver.received[0]?.headers['webhook-id']).toBe(rows[0]?.eventId);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    const [first] = await findDeliveries(service._id);
    expect(first?.attempts).toEqual([
      {
        at: expect.any(Date),
        durationMs: expect.any(Number),
        outcome: 'delivered',
        status: 200,
        response: 'thanks',
      },
    ]);
    expect(first).not.toHaveProperty('dueAt');
    expect(first?.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3600 * 1000);
  });

  test('the delivery drain finds deliveries of other processes by polling and deliveries of this process by a notification', async () => {
    const service = await addService(receiver.url);
    drain = startDrain();
    await queue(service._id);
    await eventually(() => receiver.received.length >= 1);
    await allAre(service._id, 'delivered');
    drain.notify(await queue(service._id));
    await eventually(() => receiver.received.length >= 2);
  });

  test('the delivery drain sends handed-off deliveries of a new conversation, and deliveries that another process stored before the next hand-off', async () => {
    const service = await addService(receiver.url);
    const conversation = 'one';
    drain = startDrain();
    const brought = async (first: number) => {
      const rows = rowsFor(service._id, { conversation, first });
      const fresh = await insertDeliveries(rows);
      drain?.notify(rows, { after: first - 1, through: first, rows: fresh ?? [] });
    };
    await brought(1);
    await allAre(service._id, 'delivered');
    await queue(service._id, { conversation, first: 2, count: 3 });
    await brought(5);
    await brought(6);
    await allAre(service._id, 'delivered');
    await brought(7);
    await eventually(() => receiver.received.length >= 7);
    await allAre(service._id, 'delivered');
    expect(sequences()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('the delivery drain sends later events of a conversation only after a failing event has been delivered, and in the end delivers the events of all conversations', async () => {
    receiver.behave((response, { body }) => {
      const fails = body.includes('"conversation":"bad"') && receiver.received.length < 12;
      response.writeHead(fails ? 500 : 200).end();
    });
    const service = await addService(receiver.url);
    await queue(service._id, { conversation: 'bad', count: 3 });
    await queue(service._id, { conversation: 'good', count: 8 });
    drain = startDrain({ retrySeconds: Array<number>(50).fill(0.1) });
    await allAre(service._id, 'delivered');
    const bad = receiver.received.filter(({ body }) => body.includes('"bad"')).map(({ body }) => body);
    expect(bad.length).toBeGreaterThan(3);
    expect([...new Set(bad)].map((body) => (JSON.parse(body) as { sequence: number }).sequence)).toEqual([
      1, 2, 3,
    ]);
    // The first event was never sent again after the second event.
    expect([...bad].sort()).toEqual(bad);
  });

  test('the delivery drain gives up an event after the last planned attempt and continues with the next event', async () => {
    receiver.behave((response, { body }) =>
      response.writeHead(body.includes('"sequence":1}') ? 503 : 200).end(),
    );
    const service = await addService(receiver.url);
    await queue(service._id, { count: 2 });
    drain = startDrain({ retrySeconds: [0.1, 0.2] });
    await eventually(async () => (await findStatuses(service._id)).join() === 'failed,delivered');
    expect(sequences()).toEqual([1, 1, 1, 2]);
    const [failed] = await findDeliveries(service._id);
    expect(failed?.attempts.map(({ outcome, status }) => [outcome, status])).toEqual(
      Array(3).fill(['rejected', 503]),
    );
    await eventually(async () => !('failingSince' in (await loadService(service._id))!));
  });

  test('the delivery drain disables a service that responds with 410 and skips the waiting deliveries of the service', async () => {
    receiver.behave(script(respondWith(200), respondWith(410)));
    const service = await addService(receiver.url);
    await queue(service._id, { count: 4 });
    drain = startDrain();
    await eventually(
      async () => (await findStatuses(service._id)).join() === 'delivered,failed,skipped,skipped',
    );
    expect(receiver.received).toHaveLength(2);
    expect(await loadService(service._id)).toMatchObject({
      status: 'disabled',
      statusReason: 'The receiver responded with 410 Gone.',
    });
  });

  test('the delivery drain marks a service with a private address as failed and sends nothing', async () => {
    const service = await addService(receiver.url);
    await queue(service._id, { count: 2 });
    drain = startDrain({ allowedNetworks: [] });
    await eventually(async () => (await loadService(service._id))?.status === 'failed');
    expect(receiver.connections()).toBe(0);
    expect(await findStatuses(service._id)).toEqual(['pending', 'pending']);
  });

  test('the delivery drain disables a service after five days without success and ten given-up events', async () => {
    receiver.behave(closeAtOnce);
    const failingSince = new Date(Date.now() - 5 * 24 * 3600 * 1000 - 1_000);
    const service = await addService(receiver.url, { failingSince, failedEvents: 8 });
    await queue(service._id, { count: 3 });
    drain = startDrain({ retrySeconds: [0] });
    await eventually(async () => (await findStatuses(service._id)).join() === 'failed,failed,skipped');
    expect((await loadService(service._id))?.status).toBe('disabled');
  });

  test('the delivery drain records when a service began to fail, and clears this time at the first success', async () => {
    receiver.behave(respondWith(500));
    const service = await addService(receiver.url);
    await queue(service._id, { count: 2 });
    drain = startDrain({ retrySeconds: Array<number>(600).fill(0.1) });
    await eventually(async () => (await loadService(service._id))?.failingSince !== undefined);
    receiver.behave(respondWith(200));
    await allAre(service._id, 'delivered');
    await eventually(async () => !('failingSince' in (await loadService(service._id))!));
  });

  test('the delivery drain does not delay other receivers when one receiver hangs', async () => {
    const hanging = await startReceiver();
    hanging.behave(hang);
    const dead = await addService(hanging.url);
    for (let at = 0; at < 30; at++) await queue(dead._id, { count: 2 });
    drain = startDrain({ timeoutMs: 600_000, retrySeconds: [60] });
    await eventually(() => hanging.received.length > 0);
    const service = await addService(receiver.url);
    await queue(service._id, { count: 5 });
    // All five arrive long before the first hanging attempt times out.
    await eventually(() => receiver.received.length >= 5);
    await hanging.close();
  });

  test('the delivery drain shuts down quickly, and the next drain sends the aborted deliveries again in order', async () => {
    receiver.behave(script(hang, respondWith(200)));
    const service = await addService(receiver.url);
    await queue(service._id, { count: 3 });
    drain = startDrain({ timeoutMs: 600_000 });
    await eventually(() => receiver.received.length >= 1);
    await drain.stop();
    // The leases are released, so the next drain need not wait for them.
    expect(await leaseModel.countDocuments({ owner: { $exists: true } })).toBe(0);
    drain = startDrain();
    await allAre(service._id, 'delivered');
    expect(sequences()).toEqual([1, 1, 2, 3]);
  });
});
