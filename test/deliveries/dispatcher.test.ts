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
  test('sends the stored bodies of a conversation in order, once, and logs each attempt', async () => {
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

  test('finds deliveries that other processes stored within a moment, and those of its own at a notice', async () => {
    const service = await addService(receiver.url);
    drain = startDrain();
    await queue(service._id);
    await eventually(() => receiver.received.length === 1);
    await allAre(service._id, 'delivered');
    drain.notify(await queue(service._id));
    await eventually(() => receiver.received.length === 2);
  });

  test('sends what is handed off to it of a new conversation, and what another process stored before the next hand-off', async () => {
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
    await eventually(() => receiver.received.length === 7);
    await allAre(service._id, 'delivered');
    expect(sequences()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('keeps later events of a conversation behind one that fails, and no other conversation', async () => {
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
    // Once the second was sent, the first was never sent again.
    expect([...bad].sort()).toEqual(bad);
  });

  test('gives an event up after the last attempt of the ladder and goes on with the next', async () => {
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
    expect(await loadService(service._id)).not.toHaveProperty('failingSince');
  });

  test('disables a service that answers 410 and skips what waits for it', async () => {
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
      statusReason: 'The receiver answered 410 Gone.',
    });
  });

  test('takes a service out of use whose address is private, and sends nothing', async () => {
    const service = await addService(receiver.url);
    await queue(service._id, { count: 2 });
    drain = startDrain({ allowedNetworks: [] });
    await eventually(async () => (await loadService(service._id))?.status === 'failed');
    expect(receiver.connections()).toBe(0);
    expect(await findStatuses(service._id)).toEqual(['pending', 'pending']);
  });

  test('disables a service after five days without success and ten events given up', async () => {
    receiver.behave(closeAtOnce);
    const failingSince = new Date(Date.now() - 5 * 24 * 3600 * 1000 - 1_000);
    const service = await addService(receiver.url, { failingSince, failedEvents: 8 });
    await queue(service._id, { count: 3 });
    drain = startDrain({ retrySeconds: [0] });
    await eventually(async () => (await findStatuses(service._id)).join() === 'failed,failed,skipped');
    expect((await loadService(service._id))?.status).toBe('disabled');
  });

  test('notes since when a service fails, and forgets it at the first success', async () => {
    receiver.behave(respondWith(500));
    const service = await addService(receiver.url);
    await queue(service._id, { count: 2 });
    drain = startDrain({ retrySeconds: Array<number>(600).fill(0.1) });
    await eventually(async () => (await loadService(service._id))?.failingSince !== undefined);
    receiver.behave(respondWith(200));
    await allAre(service._id, 'delivered');
    await eventually(async () => !('failingSince' in (await loadService(service._id))!));
  });

  test('does not let a receiver that hangs delay the others', async () => {
    const hanging = await startReceiver();
    hanging.behave(hang);
    const dead = await addService(hanging.url);
    for (let at = 0; at < 30; at++) await queue(dead._id, { count: 2 });
    drain = startDrain({ timeoutMs: 600_000, retrySeconds: [60] });
    await eventually(() => hanging.received.length > 0);
    const service = await addService(receiver.url);
    await queue(service._id, { count: 5 });
    // Long before the first of those that hang is given up.
    await eventually(() => receiver.received.length === 5);
    await hanging.close();
  });

  test('ends quickly at a shutdown: what was cut off is sent again by the next, in order', async () => {
    receiver.behave(script(hang, respondWith(200)));
    const service = await addService(receiver.url);
    await queue(service._id, { count: 3 });
    drain = startDrain({ timeoutMs: 600_000 });
    await eventually(() => receiver.received.length === 1);
    await drain.stop();
    // The shards are given back: the next one need not wait for them.
    expect(await leaseModel.countDocuments({ owner: { $exists: true } })).toBe(0);
    drain = startDrain();
    await allAre(service._id, 'delivered');
    expect(sequences()).toEqual([1, 1, 2, 3]);
  });
});
