import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { recordsOf } from '../support/records.ts';
import { startReceiver } from '../support/receiver.ts';

const ABSENT = 'ffffffffffffffffffffffff';

interface Told {
  event: string;
  data: { contact?: { id: string } };
}

/** A contact and its conversation (spec 5.8). */
describe('contacts', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('contacts');
  });
  afterAll(() => product.close());

  const { make, patch, remove } = recordsOf(() => product);

  test('are deleted with their conversation, and leave nothing behind', async () => {
    const profile = { email: 'gone@example.com' };
    const upsert = {
      organization: product.organization,
      contact: { profile },
      messages: [{ text: 'hello' }],
    };
    const conversation = await make('/conversations', upsert);
    const path = `/contacts/${conversation.contact}`;
    expect((await remove(path)).status).toBe(204);
    for (const gone of [path, `/conversations/${conversation.id}`, `/messages/${conversation.messages[0]}`]) {
      expect((await product.admin.get(gone)).status, gone).toBe(404);
    }
    expect((await remove(path)).status).toBe(404);
    const again = await make('/conversations', upsert);
    expect([again.id, again.contact]).not.toContain(conversation.id);
  });

  test('are deleted without a conversation', async () => {
    const profile = { email: 'lone@example.com' };
    const { id } = await make('/contacts', { profile });
    expect((await remove(`/contacts/${id}`)).status).toBe(204);
    expect((await product.admin.get(`/contacts/${id}`)).status).toBe(404);
    expect((await remove(`/contacts/${id}`)).status).toBe(404);
    await make('/contacts', { profile });
  });

  test('publish one event when they are deleted, with or without a conversation', async () => {
    const receiver = await startReceiver();
    const organization = (await make('/organizations', { name: 'heard' })).id;
    await make('/services', {
      name: 'hook',
      type: 'webhook',
      organization,
      params: { url: receiver.url, events: ['contact.delete', 'conversation.delete'] },
    });
    const profile = { email: 'heard@example.com' };
    const { contact } = await make('/conversations', {
      organization,
      contact: { profile },
      messages: [{ text: 'hi' }],
    });
    const { id: lone } = await make('/contacts', { organization });
    for (const id of [contact, lone]) expect((await remove(`/contacts/${id}`)).status).toBe(204);
    const told = () =>
      receiver.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Told);
    await eventually(() => told().length >= 3);
    const contacts = told().filter(({ event }) => event === 'contact.delete');
    expect(contacts.map(({ data }) => data.contact?.id).sort()).toEqual([contact, lone].sort());
    await receiver.close();
  });

  test('stay in their organization', async () => {
    const { id, organization } = await make('/contacts', {});
    const other = (await make('/organizations', { name: 'other' })).id;
    expect((await patch(`/contacts/${id}`, { organization })).status).toBe(200);
    expect((await patch(`/contacts/${id}`, { organization: other })).status).toBe(422);
    expect((await patch(`/contacts/${id}`, { organization: ABSENT })).status).toBe(403);
  });
});
