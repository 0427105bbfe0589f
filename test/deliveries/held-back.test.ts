import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertDeliveries } from '../../store/delivery/deliveries.ts';
import { countHeld, countPending } from '../../store/delivery/metrics.ts';
import { removeExcessDeliveries } from '../../store/delivery/kept-deliveries.ts';
import { findDue } from '../../store/delivery/queue.ts';
import { newId } from '../../store/queries/identifier.ts';
import { noteVerification } from '../../store/delivery/service-health.ts';
import { serviceModel } from '../../store/delivery/services.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import {
  addService,
  findDeliveries,
  queue,
  rowsFor,
  SHARDS,
  startDrain,
  findStatuses,
} from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { respondWith, hang, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

const ALL = [...Array(SHARDS).keys()];

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

/** Queues deliveries that are held back because their service is inactive. */
async function hold(service: string, ...options: Parameters<typeof rowsFor>[1][]): Promise<void> {
  const rows = (options.length > 0 ? options : [{}]).flatMap((some) => rowsFor(service, some));
  await insertDeliveries(rows.map((row) => ({ ...row, held: true })));
}

const sequences = () =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);

const isHeld = async (service: string) => (await findDeliveries(service)).every(({ heldAt }) => heldAt);

const arrived = (count: number) => eventually(() => receiver.received.length >= count, { everyMs: 10 });

const setStatus = ({ _id }: ServiceDocument, status: string) =>
  serviceModel.updateOne({ _id }, { $set: { status } });

describe('deliveries that are held back', () => {
  test('deliveries that are held back for an inactive service are not polled, are counted separately and are kept for 30 days', async () => {
    const service = await addService(receiver.url, { status: 'failed' });
    await hold(service._id, { count: 3 });
    const due = await findDue({ pace: 'prompt', shards: ALL, limit: 10 }, new Date());
    expect(due).toEqual([]);
    expect([await countPending(ALL, 100), await countHeld(ALL, 100)]).toEqual([0, 3]);
    for (const { status, heldAt, expiresAt } of await findDeliveries(service._id)) {
      expect(status).toBe('pending');
      expect(expiresAt!.getTime() - heldAt!.getTime()).toBe(30 * 24 * 3600 * 1000);
    }
  });

  test('deliveries that are held back or skipped are limited per organization: the oldest skipped deliveries are removed first, and active services lose none', async () => {
    const organization = 'a full organization';
    const [failed, disabled, active] = await Promise.all(
      (['failed', 'disabled', 'active'] as const).map((status) =>
        addService(receiver.url, { status, organization }),
      ),
    );
    await hold(failed!._id, { count: 3 });
    await insertDeliveries(rowsFor(failed!._id, { count: 3 }).map((row) => ({ ...row, status: 'skipped' })));
    await insertDeliveries(
      rowsFor(disabled!._id, { count: 8 }).map((row) => ({ ...row, status: 'skipped' })),
    );
    await insertDeliveries(rowsFor(active!._id, { count: 12 }));
    const characters = 1_000_000;
    expect(await removeExcessDeliveries({ deliveries: 100, characters })).toBe(0);
    expect(await removeExcessDeliveries({ deliveries: 10, characters })).toBe(4);
    const kept = async ({ _id }: ServiceDocument) =>
      (await findDeliveries(_id)).map(({ status, sequence }) => `${status} ${sequence}`).toSorted();
    expect(await kept(failed!)).toEqual(
      [1, 2, 3].map((n) => `pending ${n}`).concat('skipped 2', 'skipped 3'),
    );
    expect(await kept(disabled!)).toEqual([4, 5, 6, 7, 8].map((n) => `skipped ${n}`));
    expect(await kept(active!)).toHaveLength(12);
  });

  test('deliveries that are held back or skipped are also limited by the characters of their bodies, where a shared body counts once', async () => {
    const organization = 'an organization with large events';
    const services = await Promise.all(
      ['failed', 'disabled'].map((status) =>
        addService(receiver.url, { status: status as 'failed', organization }),
      ),
    );
    const conversation = newId();
    const body = 'x'.repeat(40_000);
    const rows = services.flatMap(({ _id }) => rowsFor(_id, { conversation, count: 4 }));
    await insertDeliveries(rows.map((row) => ({ ...row, status: 'skipped', body })));
    expect(await removeExcessDeliveries({ deliveries: 100, characters: 4 * 40_000 })).toBe(0);
    expect(await removeExcessDeliveries({ deliveries: 100, characters: 3 * 40_000 })).toBe(2);
    for (const { _id } of services) {
      expect((await findDeliveries(_id)).map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    }
  });

  test('deliveries that are held back are sent in order once their service is active, even by a worker without notification', async () => {
    const service = await addService(receiver.url, { status: 'failed' });
    const conversations = Array.from({ length: 150 }, (_, at) => `conversation ${at}`);
    await hold(service._id, ...conversations.map((conversation) => ({ conversation, count: 2 })));
    await noteVerification(service, null);
    // No drain ran when the service became active, and the new drain gets no notification.
    drain = startDrain();
    await arrived(300);
    await eventually(async () => (await findStatuses(service._id)).every((status) => status === 'delivered'));
    const order = new Map<string, number[]>();
    for (const { body } of receiver.received) {
      const { conversation, sequence } = JSON.parse(body) as { conversation: string; sequence: number };
      order.set(conversation, [...(order.get(conversation) ?? []), sequence]);
    }
    expect(order.size).toBe(150);
    for (const arrivedInOrder of order.values()) expect(arrivedInOrder).toEqual([1, 2]);
    await eventually(async () => !('heldBack' in (await serviceModel.findById(service._id).lean())!));
  });

  test('pending deliveries are held back once their service is found to be inactive', async () => {
    receiver.behave(respondWith(500));
    const service = await addService(receiver.url);
    await queue(service._id, { count: 3 });
    drain = startDrain({ retrySeconds: Array<number>(600).fill(0.3) });
    await arrived(1);
    await setStatus(service, 'failed');
    await eventually(() => isHeld(service._id));
    receiver.behave(respondWith(200));
    const before = receiver.received.length;
    await noteVerification(service, null);
    await arrived(before + 3);
    expect(sequences().slice(before)).toEqual([1, 2, 3]);
  });

  test('deliveries that are stored as held back are sent if their service is already active', async () => {
    const service = await addService(receiver.url);
    drain = startDrain();
    // The deliveries were marked as held back while the service was being verified, and were stored
    // after the verification.
    await hold(service._id, { count: 2 });
    await arrived(2);
    expect(sequences()).toEqual([1, 2]);
  });

  test('released deliveries whose attempts fail follow the retry schedule and are not held back again', async () => {
    receiver.behave(respondWith(503));
    const service = await addService(receiver.url, { status: 'failed' });
    for (let conversation = 0; conversation < 5; conversation += 1) await hold(service._id);
    drain = startDrain({ retrySeconds: Array<number>(600).fill(0.3) });
    await noteVerification(service, null);
    await eventually(async () => (await findDeliveries(service._id)).every(({ heldAt }) => !heldAt));
    for (const { expiresAt, dueAt } of await findDeliveries(service._id)) {
      expect([expiresAt, dueAt]).toEqual([undefined, expect.any(Date)]);
    }
    receiver.behave(respondWith(200));
    await eventually(
      async () => (await findStatuses(service._id)).every((status) => status === 'delivered'),
      {
        withinMs: 60_000,
      },
    );
  });

  test('released deliveries of hanging services do not delay the deliveries of a service that becomes active afterwards', async () => {
    const hanging = await startReceiver();
    hanging.behave(hang);
    const dead = await Promise.all(
      Array.from({ length: 40 }, () => addService(hanging.url, { status: 'failed' })),
    );
    for (const { _id } of dead) await hold(_id, ...Array<object>(20).fill({}));
    const service = await addService(receiver.url, { status: 'failed' });
    await hold(service._id, { count: 5 });
    drain = startDrain({ timeoutMs: 600_000 });
    for (const one of dead) await noteVerification(one, null);
    await eventually(() => hanging.received.length >= 40);
    await noteVerification(service, null);
    await arrived(5);
    await hanging.close();
  });
});

describe('an attempt that ends after its service has got another url', () => {
  test('an attempt that ends after its service got another url neither disables the service nor counts against the new url', async () => {
    const next = await startReceiver();
    let end = (): void => undefined;
    receiver.behave((response) => {
      end = () => void response.writeHead(410).end();
    });
    const service = await addService(receiver.url);
    await queue(service._id);
    drain = startDrain();
    await arrived(1);
    const params = { url: next.url };
    await serviceModel.updateOne({ _id: service._id }, { $set: { params, status: 'pending' } });
    end();
    await eventually(async () => (await findDeliveries(service._id))[0]?.status === 'failed');
    expect(await serviceModel.findById(service._id).lean()).toMatchObject({ status: 'pending' });
    expect(await serviceModel.findById(service._id).lean()).not.toHaveProperty('failingSince');
    await next.close();
  });
});
