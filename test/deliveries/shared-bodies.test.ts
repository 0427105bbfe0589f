import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import { eraseRecords } from '../../store/conversations/erase-conversation.ts';
import {
  deliveryModel,
  insertDeliveries,
  findWholeDelivery,
  removeUnusedBodies,
} from '../../store/delivery/deliveries.ts';
import { publish } from '../../store/delivery/publish.ts';
import { newId } from '../../store/queries/identifier.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { addService, findDeliveries, rowsFor, SHARDS, startDrain, findStatuses } from '../support/drain.ts';
import type { RunningDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useStore } from '../support/use-store.ts';

const LARGE = 40_000;
const DAY_MS = 24 * 3600 * 1000;

let receiver: Receiver;
let services: ServiceDocument[];
let drain: RunningDrain | null = null;

useStore();

beforeEach(async () => {
  receiver = await startReceiver();
  services = await Promise.all([addService(receiver.url), addService(receiver.url)]);
});

afterEach(async () => {
  await drain?.stop();
  drain = null;
  await receiver.close();
});

/**
 * Returns rows of one conversation's events for all services, with bodies of `length` characters.
 */
function rowsForAll(length: number, { count = 1, first = 1, conversation = newId() } = {}): DeliveryRow[] {
  const rows = services.map(({ _id }) => rowsFor(_id, { conversation, first, count }));
  return Array.from({ length: count }, (_, at) => rows.map((own) => own[at]!))
    .flat()
    .map((row) => ({ ...row, body: JSON.stringify({ event: row.eventId, text: 'x'.repeat(length) }) }));
}

const bodies = () => mongoose.connection.collection<{ _id: string; body: string }>('deliverybodies');
const bodiesOf = (rows: DeliveryRow[]) =>
  bodies()
    .find({ _id: { $in: rows.map(({ eventId }) => eventId) } })
    .toArray();
const storedOf = async () => (await Promise.all(services.map(({ _id }) => findDeliveries(_id)))).flat();

const allDelivered = () =>
  eventually(async () => {
    const statuses = (await Promise.all(services.map(({ _id }) => findStatuses(_id)))).flat();
    return statuses.every((status) => status === 'delivered');
  });

describe('the body of an event for several services', () => {
  test('the body of an event for several services is stored once if it is large, sent to each service in order, and shown in the log', async () => {
    const rows = rowsForAll(LARGE, { count: 20 });
    await insertDeliveries(rows);
    await insertDeliveries(rows);
    expect(await bodiesOf(rows)).toHaveLength(20);
    for (const row of await storedOf()) expect(row).not.toHaveProperty('body');
    const [first] = rows;
    expect((await findWholeDelivery(first!._id))?.body).toBe(first!.body);
    drain = startDrain();
    await allDelivered();
    const sent = receiver.received.map(({ body }) => body);
    expect(sent.toSorted()).toEqual(rows.map(({ body }) => body).toSorted());
  });

  test('the body of an event for several services is stored in each row if it is small, and rows with a stored body and rows with a shared body are sent in order', async () => {
    const conversation = newId();
    await insertDeliveries(rowsForAll(10, { conversation }));
    await insertDeliveries(rowsForAll(LARGE, { conversation, first: 2 }));
    await insertDeliveries(rowsForAll(10, { conversation, first: 3 }));
    expect((await storedOf()).filter(({ body }) => body !== undefined)).toHaveLength(4);
    drain = startDrain();
    await allDelivered();
    const order = receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
    expect(order.filter((_, at) => order.indexOf(order[at]!) === at)).toEqual(
      [1, 2, 3].map((sequence) => `${conversation}-${sequence}`),
    );
  });

  test('the body of an event for several services is handed off with the rows to the drain of the same process', async () => {
    const fresh = await insertDeliveries(rowsForAll(LARGE));
    expect(fresh?.map(({ body }) => body.length > LARGE)).toEqual([true, true]);
  });

  test('the body of an event for several services is stored once for each of five changes of a record of 90 kB that 50 services receive', async () => {
    const organization = newId();
    await Promise.all(Array.from({ length: 48 }, () => addService(receiver.url, { organization })));
    const patterned = {
      organization,
      params: { url: receiver.url, events: Array<string>(100).fill('kbitem') },
    };
    await Promise.all([addService(receiver.url, patterned), addService(receiver.url, patterned)]);
    for (let change = 1; change <= 5; change += 1) {
      await publish(
        {
          ...{ id: `${organization}-${change}`, name: 'kbitem.update', organization },
          ...{ timestamp: new Date().toISOString(), actor: { id: newId(), kind: 'user' } },
          data: { kbitem: { id: newId(), content: 'x'.repeat(90_000) } },
        },
        { publicUrl: 'http://localhost:3000', deliveryShards: SHARDS },
      );
    }
    const rows = await deliveryModel.collection.find({ organization }).toArray();
    const stored = await bodies()
      .find({ _id: { $in: rows.map(({ eventId }) => eventId) } })
      .toArray();
    expect([rows.length, stored.length]).toEqual([250, 5]);
    expect(JSON.stringify([rows, stored]).length).toBeLessThan(5 * 92_000 + 250 * 1_000);
  });

  test('a removed body of an event does not block later deliveries', async () => {
    const rows = rowsForAll(LARGE, { count: 2 });
    await insertDeliveries(rows);
    await bodies().deleteOne({ _id: rows[0]!.eventId });
    drain = startDrain();
    for (const { _id } of services) {
      await eventually(async () => {
        expect(await findStatuses(_id)).toEqual(['skipped', 'delivered']);
        return true;
      });
    }
    expect(receiver.received).toHaveLength(2);
  });

  test('the body of an event for several services is removed at a due check if no delivery refers to it any more, and not before', async () => {
    const [used, unused] = [rowsForAll(LARGE), rowsForAll(LARGE)];
    await insertDeliveries([...used, ...unused]);
    const rows = mongoose.connection.collection<{ _id: string }>('deliveries');
    await rows.deleteMany({ _id: { $in: unused.map(({ _id }) => _id) } });
    await removeUnusedBodies(new Date());
    expect(await bodiesOf([...used, ...unused])).toHaveLength(2);
    await removeUnusedBodies(new Date(Date.now() + 2 * DAY_MS));
    expect((await bodiesOf([...used, ...unused])).map(({ _id }) => _id)).toEqual([used[0]!.eventId]);
  });

  test('the body of an event for several services is erased with its conversation, except in the events about the removal', async () => {
    const conversation = newId();
    const rows = rowsForAll(LARGE, { conversation, count: 2 });
    await insertDeliveries(rows);
    const last = rows.at(-1)!.eventId;
    await eraseRecords({ conversation, contact: undefined, butEvents: [last] });
    expect((await bodiesOf(rows)).map(({ _id }) => _id)).toEqual([last]);
  });
});
