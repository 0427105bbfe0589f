import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import { deliveryModel, insertDeliveries } from '../../store/delivery/deliveries.ts';
import { removeExcessDeliveries } from '../../store/delivery/kept-deliveries.ts';
import { acknowledgeDeliveries, pullDeliveries } from '../../store/delivery/pulled-lanes.ts';
import { findServicesToRelease } from '../../store/delivery/services.ts';
import { newId } from '../../store/queries/identifier.ts';
import mongoose from 'mongoose';
import { eventually } from '../support/eventually.ts';
import { addService, findStatuses, rowsFor, startDrain } from '../support/drain.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const MINUTE_MS = 60_000;

/** Queues rows as a commit does for a service without an address. */
const queue = (rows: DeliveryRow[]) => insertDeliveries(rows.map((row) => ({ ...row, held: true as const })));

const addPulled = async () => (await addService('unused', { params: {} }))._id;

async function pull(service: string, limit = 100): Promise<{ id: string; lane: string; sequence: number }[]> {
  const { rows } = await pullDeliveries(service, { limit, visibilityMs: MINUTE_MS });
  return rows.map(({ eventId, lane, sequence }) => ({ id: eventId, lane, sequence }));
}

/** Ends the visibility timeout of all lanes in flight. */
const expire = (service: string) =>
  mongoose.connection.collection('pulledlanes').updateMany({ service }, { $set: { until: new Date(0) } });

describe('events of a service without an address', () => {
  test('pulled events come again in order after their visibility timeout, and not before', async () => {
    const service = await addPulled();
    await queue(rowsFor(service, { count: 3 }));
    const first = await pull(service);
    expect(first.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(await pull(service)).toEqual([]);
    await expire(service);
    expect(await pull(service)).toEqual(first);
  });

  test('later events of a conversation wait until the pulled events are acknowledged', async () => {
    const service = await addPulled();
    const [busy, other] = [newId(), newId()];
    await queue(rowsFor(service, { conversation: busy, count: 2 }));
    const [one, two] = await pull(service);
    await queue(rowsFor(service, { conversation: busy, first: 3 }));
    await queue(rowsFor(service, { conversation: other }));
    expect((await pull(service)).map(({ lane }) => lane)).toEqual([`${service}:${other}`]);
    expect(await acknowledgeDeliveries(service, [one?.id ?? ''])).toBe(1);
    expect(await pull(service)).toEqual([]);
    expect(await acknowledgeDeliveries(service, [two?.id ?? '', 'unknown'])).toBe(1);
    expect((await pull(service)).map(({ sequence }) => sequence)).toEqual([3]);
  });

  test('an acknowledged event is delivered with its attempt, and a repeated acknowledgement changes nothing', async () => {
    const service = await addPulled();
    await queue(rowsFor(service));
    const [event] = await pull(service);
    expect(await acknowledgeDeliveries(service, [event?.id ?? ''])).toBe(1);
    expect(await acknowledgeDeliveries(service, [event?.id ?? ''])).toBe(0);
    const stored = await deliveryModel.findOne({ service }).lean();
    expect(stored).toMatchObject({ status: 'delivered', attempts: [{ outcome: 'delivered' }] });
    expect(stored?.expiresAt?.getTime()).toBeGreaterThan(Date.now());
  });

  test('an acknowledgement after the timeout does not free events that another puller has just claimed', async () => {
    const service = await addPulled();
    await queue(rowsFor(service, { count: 2 }));
    const [one] = await pull(service, 1);
    await expire(service);
    const again = await pull(service);
    expect(again).toHaveLength(2);
    expect(await acknowledgeDeliveries(service, [one?.id ?? ''])).toBe(1);
    expect(await pull(service)).toEqual([]);
  });

  test('the acknowledgement of another service changes nothing', async () => {
    const [service, stranger] = [await addPulled(), await addPulled()];
    await queue(rowsFor(service));
    const [event] = await pull(service);
    expect(await acknowledgeDeliveries(stranger, [event?.id ?? ''])).toBe(0);
    expect(await findStatuses(service)).toEqual(['pending']);
  });

  test('a worker neither sends nor releases nor polls the deliveries of a service without an address', async () => {
    const service = await addPulled();
    await queue(rowsFor(service, { count: 2 }));
    // Pending and due, as after a replay, or when the service has just lost its address.
    await insertDeliveries(rowsFor(service, { conversation: newId() }));
    const drain = startDrain();
    try {
      await eventually(
        async () => (await deliveryModel.countDocuments({ service, dueAt: { $exists: true } })) === 0,
      );
      expect(await findServicesToRelease()).toEqual([]);
      expect(await findStatuses(service)).toEqual(['pending', 'pending', 'pending']);
    } finally {
      await drain.stop();
    }
    expect(await pull(service)).toHaveLength(3);
  });

  test('a service that is never pulled keeps its share of deliveries, the oldest removed first', async () => {
    const service = await addPulled();
    await queue(rowsFor(service, { count: 5 }));
    await removeExcessDeliveries({ deliveries: 2, characters: 1_000_000 });
    expect((await deliveryModel.find({ service }).lean()).every(({ expiresAt }) => expiresAt)).toBe(true);
    expect((await pull(service)).length).toBeLessThanOrEqual(2);
  });

  test('pullers side by side that crash and come again lose no event, share none, and keep the order', async () => {
    const step = fc.constantFrom('pull', 'acknowledge', 'crash', 'write', 'both');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const service = await addPulled();
        const conversations = [newId(), newId(), newId()];
        const written = new Map(conversations.map((one) => [one, 0]));
        const done = new Map<string, number[]>();
        let inFlight: Awaited<ReturnType<typeof pull>> = [];
        const write = async () => {
          for (const conversation of conversations) {
            const first = (written.get(conversation) ?? 0) + 1;
            await queue(rowsFor(service, { conversation, first, count: 2 }));
            written.set(conversation, first + 1);
          }
        };
        const take = async (pulls: number) => {
          const got = (await Promise.all(Array.from({ length: pulls }, () => pull(service, 4)))).flat();
          const held = new Set(inFlight.map(({ lane }) => lane));
          expect(got.some(({ lane }) => held.has(lane))).toBe(false);
          expect(new Set(got.map(({ id }) => id)).size).toBe(got.length);
          inFlight = [...inFlight, ...got];
        };
        const acknowledge = async () => {
          await acknowledgeDeliveries(service, ['', ...inFlight.map(({ id }) => id)]);
          for (const { lane, sequence } of inFlight) done.set(lane, [...(done.get(lane) ?? []), sequence]);
          inFlight = [];
        };
        await write();
        for (const one of steps) {
          if (one === 'write') await write();
          if (one === 'pull') await take(1);
          if (one === 'both') await take(2);
          if (one === 'acknowledge') await acknowledge();
          if (one === 'crash') {
            inFlight = [];
            await expire(service);
          }
        }
        await acknowledge();
        for (let rest = 1; rest > 0;) {
          await take(2);
          rest = inFlight.length;
          await acknowledge();
        }
        for (const [conversation, last] of written) {
          const expected = Array.from({ length: last }, (_, at) => at + 1);
          expect(done.get(`${service}:${conversation}`)).toEqual(expected);
        }
      }),
      { numRuns: 15 },
    );
  });
});
