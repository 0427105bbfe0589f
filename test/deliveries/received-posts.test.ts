import { describe, expect, test } from 'vitest';
import { unreadableRow } from '../../application/channels/inbound.ts';
import { deliveryModel, insertDeliveries } from '../../store/delivery/deliveries.ts';
import type { DeliveryDocument } from '../../store/delivery/deliveries.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { SHARDS, addService, findStatuses, queue, startDrain } from '../support/drain.ts';
import { eventually } from '../support/eventually.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const CHANNEL = { type: 'twilio', touchpoint: 'sms' };
const REASON = 'The post has no MessageSid.';

/** Stores a post that a channel received, which fails with the reason when it is read. */
async function receive({ _id: id, organization }: ServiceDocument) {
  const arrival = { sequence: 1, now: new Date().toISOString(), shards: SHARDS };
  const row = unreadableRow({ problem: REASON, post: `${id} ` }, { id, organization }, arrival);
  await insertDeliveries([row]);
  return row;
}

/** Waits until a post has been read. */
async function expectRead(id: string): Promise<void> {
  const read = await eventually(async () => {
    const row = await load(id);
    return row?.status !== 'pending' && row;
  });
  expect(read).toMatchObject({ status: 'failed', attempts: [{ outcome: 'refused', reason: REASON }] });
}

const load = (id: string) => deliveryModel.findById(id).lean<DeliveryDocument>();

/** Spec 15.8: receiving does not depend on the health of sending. */
describe('what a channel has received', () => {
  test.each(['active', 'failed', 'disabled'] as const)(
    'what a channel has received is read although the channel is %s',
    async (status) => {
      const post = await receive(await addService('http://127.0.0.1:1', { ...CHANNEL, status }));
      const drain = startDrain();
      drain.notify([post]);
      await expectRead(post._id);
      await drain.stop();
    },
  );

  test('what a channel has received stays when Parlance disables the channel and skips its messages', async () => {
    const service = await addService('http://127.0.0.1:1', { ...CHANNEL, status: 'disabled' });
    const post = await receive(service);
    const dueAt = new Date(Date.now() + 3_600_000);
    await deliveryModel.updateOne({ _id: post._id }, { $set: { dueAt } });
    const messages = await queue(service._id);
    const drain = startDrain();
    drain.notify(messages);
    await eventually(async () => (await load(messages[0]?._id ?? ''))?.status === 'skipped');
    await deliveryModel.updateOne({ _id: post._id, status: 'pending' }, { $set: { dueAt: new Date() } });
    drain.notify([post]);
    await expectRead(post._id);
    await drain.stop();
  });

  test('what a paused channel has received is held', async () => {
    const service = await addService('http://127.0.0.1:1', { ...CHANNEL, status: 'disabled', paused: true });
    const post = await receive(service);
    const drain = startDrain();
    drain.notify([post]);
    await eventually(async () => (await load(post._id))?.heldAt !== undefined);
    expect(await load(post._id)).toMatchObject({ status: 'pending', attempts: [] });
    await drain.stop();
  });

  test('what a deleted channel has received is skipped', async () => {
    const service = await addService('http://127.0.0.1:1', CHANNEL);
    const post = await receive({ ...service, _id: 'f'.repeat(24) });
    const drain = startDrain();
    drain.notify([post]);
    await eventually(async () => (await findStatuses('f'.repeat(24))).includes('skipped'));
    await drain.stop();
  });
});
