import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { deliveryModel } from '../../store/delivery/deliveries.ts';
import { addService, queue, startDrain, findStatuses } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

const DEAD = 60;
const EVENTS = 10;

useStore();

describe('many dead endpoints with many pending events each', () => {
  test('many dead endpoints with many pending events each do not delay a healthy endpoint, and receive everything in order when they recover', async () => {
    const dead = await startReceiver();
    const healthy = await startReceiver();
    const held: ServerResponse[] = [];
    dead.behave((response) => void held.push(response));
    const services = await Promise.all(Array.from({ length: DEAD }, () => addService(dead.url)));
    for (const { _id } of services) await queue(_id, { count: EVENTS });
    // No dead endpoint times out before the healthy endpoint has all events.
    const drain = startDrain({ timeoutMs: 60_000, retrySeconds: Array<number>(60).fill(1) });
    await eventually(() => held.length >= DEAD);
    const service = await addService(healthy.url);
    drain.notify(await queue(service._id, { count: EVENTS }));
    await eventually(() => healthy.received.length >= EVENTS, { everyMs: 5 });
    expect(held.length).toBe(DEAD);
    dead.behave(respondWith(200));
    for (const response of held) response.writeHead(503).end();
    dead.received.length = 0;
    await eventually(async () => (await deliveryModel.countDocuments({ status: 'pending' })) === 0, {
      ...{ withinMs: 60_000, everyMs: 200 },
    });
    const arrived = new Map<string, number[]>();
    for (const { body } of dead.received) {
      const { conversation, sequence } = JSON.parse(body) as { conversation: string; sequence: number };
      const before = arrived.get(conversation) ?? [];
      if (!before.includes(sequence)) arrived.set(conversation, [...before, sequence]);
    }
    expect(arrived.size).toBe(DEAD);
    const inOrder = Array.from({ length: EVENTS }, (_, at) => at + 1);
    for (const sequences of arrived.values()) expect(sequences).toEqual(inOrder);
    for (const { _id } of services) {
      expect(await findStatuses(_id)).toEqual(inOrder.map(() => 'delivered'));
    }
    await drain.stop();
    await Promise.all([dead.close(), healthy.close()]);
  });
});

describe('a service that responds again', () => {
  test('a service that responds again gets its deferred deliveries at once, except deliveries that wait for their next attempt', async () => {
    const receiver = await startReceiver();
    const service = await addService(receiver.url);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const hidden = await Promise.all(Array.from({ length: 3 }, () => queue(service._id, { count: 2 })));
    const late = await queue(service._id);
    const asked = await queue(service._id);
    const waiting = await queue(service._id, { count: 2 });
    const update = (rows: { _id: string }[], set: object) =>
      deliveryModel.updateMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { $set: set });
    await update(hidden.flat(), { dueAt: inAnHour, pace: 'patient' });
    await update(late, { dueAt: inAnHour, retryAt: new Date(), tries: 1, pace: 'patient' });
    await update(asked, { dueAt: inAnHour, tries: 1, pace: 'patient' });
    await update(waiting.slice(0, 1), { dueAt: inAnHour, retryAt: inAnHour, tries: 1, pace: 'patient' });
    await update(waiting.slice(1), { dueAt: inAnHour, pace: 'patient' });
    const drain = startDrain();
    drain.notify(await queue(service._id));
    const pending = () => deliveryModel.countDocuments({ service: service._id, status: 'pending' });
    await eventually(async () => (await pending()) === 2);
    const arrived = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(arrived)).toEqual(
      new Set([...arrived.slice(0, 1), ...ids([...hidden.flat(), ...late, ...asked])]),
    );
    for (const [first, second] of hidden) {
      expect(arrived.indexOf(first?.eventId)).toBeLessThan(arrived.indexOf(second?.eventId));
    }
    await drain.stop();
    await receiver.close();
  });
});

function ids(rows: { eventId: string }[]): string[] {
  return rows.map(({ eventId }) => eventId);
}
