import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhook } from '../support/listening.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';

let product: Product;

beforeAll(async () => {
  product = await sharedApi('webhook_operations');
});

afterAll(() => product.close());

async function listen(url: string, params: object, fields: object = {}): Promise<string> {
  return (await createWebhook(product.admin, { url, ...params }, fields)).id;
}

describe('contacts created and changed by conversations', () => {
  test('a contact created or changed by a conversation is published completely after an upsert, a field message and a second upsert', async () => {
    const receiver = await startReceiver();
    await listen(receiver.url, { events: ['contact'] });
    const upsert = (profile: object) =>
      product.admin.post('/conversations', {
        ...{ organization: product.organization, type: 'contact', contact: { profile } },
        messages: [{ type: 'chat', role: 'contact', text: 'hi' }],
      });
    const { body: conversation } = await upsert({ email: 'ada@example.com', name: 'Ada' });
    await eventually(() => firstArrivals(receiver).length >= 1);
    const field = { conversation: conversation.id, type: 'field', text: '.givenName Augusta' };
    expect((await product.admin.post('/messages', field)).status).toBe(201);
    await eventually(() => firstArrivals(receiver).length >= 2);
    await upsert({ email: 'ada@example.com', familyName: 'Lovelace' });
    await eventually(() => firstArrivals(receiver).length >= 3);
    const [made, changed, again] = firstArrivals(receiver).map(({ json }) => json);
    const contact = { id: conversation.contact, conversation: conversation.id, meta: {} };
    expect(made).toMatchObject({
      event: 'contact.create',
      data: { contact: { ...contact, profile: { email: 'ada@example.com', name: 'Ada' } } },
    });
    expect(changed).toMatchObject({
      event: 'contact.update',
      data: {
        contact: { ...contact, profile: { email: 'ada@example.com', name: 'Ada', givenName: 'Augusta' } },
      },
    });
    expect(again.data.contact.profile).toMatchObject({ givenName: 'Augusta', familyName: 'Lovelace' });
    await receiver.close();
  });

  test('the event of an updated record has the previous values of the changed fields', async () => {
    const receiver = await startReceiver();
    await listen(receiver.url, { events: ['contact.update', 'user.update', 'conversation.update'] });
    const { admin, organization } = product;
    const contact = (await admin.post('/contacts', { organization, profile: { name: 'Ada' } })).body;
    const user = (await admin.post('/users', { role: 'bot', givenName: 'Echo' })).body;
    const conversation = (await admin.post('/conversations', { organization, name: 'First' })).body;
    await admin.request('PATCH', `/contacts/${contact.id}`, { profile: { name: 'Grace' } });
    await admin.request('PATCH', `/users/${user.id}`, { givenName: 'Reply', familyName: 'Bot' });
    await admin.request('PATCH', `/conversations/${conversation.id}`, { name: 'Second' });
    await eventually(() => firstArrivals(receiver).length >= 3);
    const previous = Object.fromEntries(
      firstArrivals(receiver).map(({ json }) => [json.event, json.data.previous]),
    );
    expect(previous).toEqual({
      'contact.update': { profile: { name: 'Ada' } },
      'user.update': { name: 'Echo', givenName: 'Echo', familyName: null },
      'conversation.update': { name: 'First' },
    });
    await receiver.close();
  });

  test('a contact changed by a field message is published with the previous profile', async () => {
    const receiver = await startReceiver();
    await listen(receiver.url, { events: ['contact.update'] });
    const { admin, organization } = product;
    const email = 'previous@example.com';
    const { id } = (
      await admin.post('/conversations', {
        ...{ organization, type: 'contact', contact: { profile: { email } } },
        messages: [{ text: 'Hi' }],
      })
    ).body;
    await admin.post(`/conversations/${id}/messages`, { type: 'field', text: '.name Grace' });
    await eventually(() => firstArrivals(receiver).length >= 1);
    const { contact, previous } = firstArrivals(receiver)[0]!.json.data;
    expect([contact.profile, previous]).toEqual([{ email, name: 'Grace' }, { profile: { email } }]);
    await receiver.close();
  });

  test('a contact changed by several messages of one request is published once per message, with the fields after that message', async () => {
    const receiver = await startReceiver();
    await listen(receiver.url, { events: ['contact.update'] });
    const said = ['.name Grace', '.address.city London', '.name Hopper'];
    await product.admin.post('/conversations', {
      ...{ organization: product.organization, type: 'contact' },
      contact: { profile: { email: 'grace@example.com' } },
      messages: said.map((text) => ({ type: 'field', text })),
    });
    await eventually(() => firstArrivals(receiver).length >= said.length);
    const profiles = firstArrivals(receiver).map(({ json }) => json.data.contact.profile);
    const email = 'grace@example.com';
    expect(profiles).toEqual([
      { email, name: 'Grace' },
      { email, name: 'Grace', address: { city: 'London' } },
      { email, name: 'Hopper', address: { city: 'London' } },
    ]);
    const previous = firstArrivals(receiver).map(({ json }) => json.data.previous.profile);
    expect(previous).toEqual([{ email }, ...profiles.slice(0, 2)]);
    await receiver.close();
  });
});
