import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { eventContentModel } from '../../store/records/business-events.ts';
import { insertMessages } from '../../store/conversations/processed-messages.ts';
import { deliveryModel, insertDeliveries } from '../../store/delivery/deliveries.ts';
import type { DeliveryDocument } from '../../store/delivery/deliveries.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

/** Spec 5.8: DELETE of a conversation, for data removal requests. */
describe('deleting a conversation', () => {
  let product: Product;
  let receiver: Receiver;
  let temporal: Client;

  beforeAll(async () => {
    product = await sharedApi('erase');
    receiver = await startReceiver();
    temporal = await createTemporalClient(product);
    const params = { url: receiver.url };
    await product.admin.post('/services', { name: 'witness', type: 'webhook', params });
  });
  afterAll(async () => {
    await Promise.all([product.close(), receiver.close(), temporal.connection.close()]);
  });

  const upsert = async (email: string, text = 'my secret') =>
    (
      await product.admin.post('/conversations', {
        organization: product.organization,
        contact: { profile: { email, name: 'Ada' } },
        messages: [{ text, role: 'contact' }],
      })
    ).body as { id: string; contact: string };
  const remove = (id: string) => product.admin.request('DELETE', `/conversations/${id}`);
  const runs = async (id: string) => {
    const found = [];
    for await (const run of temporal.workflow.list({ query: `WorkflowId = "conversation:${id}"` }))
      found.push(run);
    return found.length;
  };

  test('deleting a conversation removes its contact, messages and histories, and notifies the services that received its events', async () => {
    const { id, contact } = await upsert('ada@example.com');
    // The closed conversation ends the first run of the workflow, and the next post starts a second
    // run.
    await product.admin.post('/messages', { conversation: id, type: 'command', text: '/set status closed' });
    await eventually(
      async () =>
        (await temporal.workflow.getHandle(`conversation:${id}`).describe()).status.name === 'COMPLETED',
    );
    const { body: late } = await product.admin.post('/messages', {
      conversation: id,
      text: 'later',
      delay: 3_000,
    });
    await eventually(async () => (await runs(id)) === 2);

    expect((await remove(id)).status).toBe(204);

    for (const path of [
      `/conversations/${id}`,
      `/contacts/${contact}`,
      `/messages/${late.id}`,
      `/conversations/${id}/links`,
    ]) {
      expect([path, (await product.admin.get(path)).status]).toEqual([path, 404]);
    }
    expect((await product.admin.post('/messages', { conversation: id, text: 'still?' })).status).toBe(404);
    expect((await product.admin.get(`/messages?conversation=${id}&processedAt=!`)).body).toEqual([]);
    expect((await remove(id)).status).toBe(404);
    await eventually(async () => (await runs(id)) === 0);
    const told = await eventually(() => {
      const last = firstArrivals(receiver).filter(({ json }) => json.event.endsWith('.delete'));
      return last.length >= 2 && last.map(({ json }) => json);
    });
    expect(told).toMatchObject([
      { event: 'conversation.delete', data: { conversation: { id, meta: {} } } },
      { event: 'contact.delete', data: { contact: { id: contact, conversation: id } } },
    ]);
    expect(JSON.stringify(told)).not.toContain('Ada');
    // Waits until the due time of the delayed message has passed.
    await eventually(() => Date.now() > Date.parse(late.createdAt) + 4_000);
    expect((await product.admin.get(`/messages?id=${late.id}`)).body).toEqual([]);
    expect((await product.admin.get(`/conversations/${id}`)).status).toBe(404);
  });

  test('deleting a conversation removes the business events that posted into it, with their bodies', async () => {
    await newEventType(
      product,
      'told',
      `$append({"conversation": conversation, "messages": [{"text": secret}]},
        $exists(other) ? {"conversation": other, "messages": [{"text": "to the other"}]} : [])`,
    );
    const [doomed, other] = [await upsert('joan@example.com'), await upsert('other@example.com')];
    const tell = async (body: object) => {
      const answer = await product.admin.post('/events/told', { secret: 'said in confidence', ...body });
      expect(answer.status).toBe(200);
      return answer.body.id as string;
    };
    const gone = [
      await tell({ conversation: doomed.id }),
      await tell({ conversation: doomed.id, other: other.id }),
    ];
    const kept = await tell({ conversation: other.id });
    expect((await remove(doomed.id)).status).toBe(204);
    for (const id of gone) expect((await product.admin.get(`/events/${id}`)).status).toBe(404);
    expect((await product.admin.get(`/events/${kept}`)).body.body.secret).toBe('said in confidence');
    await connectStore(product.environment['MONGODB_URI'] ?? '');
    expect(await eventContentModel.countDocuments({ _id: { $in: gone } })).toBe(0);
    expect(await eventContentModel.countDocuments({ _id: kept, expiresAt: { $exists: true } })).toBe(1);
    await disconnectStore();
  });

  test('after a conversation is deleted, the same contact can start a new conversation', async () => {
    const first = await upsert('grace@example.com');
    expect((await remove(first.id)).status).toBe(204);
    const again = await upsert('grace@example.com', 'hello again');
    expect(again.id).not.toBe(first.id);
    expect(again.contact).not.toBe(first.contact);
    expect((await product.admin.get(`/messages?conversation=${again.id}`)).body).toMatchObject([
      { text: 'hello again', sequence: 1 },
    ]);
  });

  test('after a conversation is deleted, a worker that was frozen during a commit cannot restore or publish anything', async () => {
    const { id } = await upsert('katherine@example.com');
    await connectStore(product.environment['MONGODB_URI'] ?? '');
    const message = await messageModel.findOne({ conversation: id }).lean<MessageDocument>();
    const delivery = await deliveryModel.findOne({ conversation: id }).lean<DeliveryDocument>();
    if (!message || !delivery) throw new Error('nothing was stored');
    expect((await remove(id)).status).toBe(204);
    await insertMessages([message]);
    const createdAt = delivery.createdAt.toISOString();
    const row = { ...delivery, body: delivery.body ?? '', createdAt, attempts: [] };
    await insertDeliveries([{ ...row, status: 'pending' }]);
    const listed = await product.admin.get(`/messages?conversation=${id}`);
    expect([listed.body, listed.headers.get('X-Total')]).toEqual([[], '0']);
    expect((await product.admin.get(`/messages/${message._id}`)).status).toBe(404);
    expect(await deliveryModel.findById(delivery._id).lean()).toEqual({
      ...{ _id: delivery._id, conversation: id, status: 'skipped' },
    });
    expect((await product.admin.get(`/deliveries/${delivery._id}`)).status).toBe(404);
    await disconnectStore();
  });

  test('deleting a conversation that does not exist is refused with 404', async () => {
    expect((await remove('f'.repeat(24))).status).toBe(404);
  });
});
