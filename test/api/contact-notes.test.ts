import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

let product: Product;
let grace: KeyHolder;
let bruno: KeyHolder;
let count = 0;

beforeAll(async () => {
  product = await sharedApi('contact_notes');
  [grace, bruno] = await Promise.all([
    newUser(product, { role: 'agent' }),
    newUser(product, { role: 'agent' }),
  ]);
});
afterAll(() => product.close());

const newContact = async (fields: object = {}) =>
  (await product.admin.post('/contacts', { externalId: `c-${(count += 1)}`, ...fields })).body.id as string;
const read = async (id: string) => (await product.admin.get(`/contacts/${id}`)).body;

/** Spec 4.9. */
describe('labels and notes of contacts', () => {
  test('agents label a contact at the same time, find it by a label, and cannot change it otherwise', async () => {
    const id = await newContact();
    const path = `/contacts/${id}/labels`;
    const answers = await Promise.all([
      ...['vip', 'Late'].map((label) => grace.post(path, { add: [label] })),
      ...['new', 'b2b'].map((label) => bruno.post(path, { add: [label] })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await read(id)).labels.toSorted()).toEqual(['b2b', 'late', 'new', 'vip']);
    const { body } = await bruno.post(path, { remove: ['VIP', 'late', 'b2b'] });
    expect(body).toMatchObject({ id, labels: ['new'] });
    const found = await grace.get('/contacts?labels=new&select=labels');
    expect(found.body).toMatchObject([{ id, labels: ['new'] }]);
    await bruno.post(path, { remove: ['new'] });
    expect(await read(id)).not.toHaveProperty('labels');
    expect((await grace.request('PATCH', `/contacts/${id}`, { externalId: 'x' })).status).toBe(403);
    const ignored = await product.admin.request('PATCH', `/contacts/${id}`, { labels: ['vip'] });
    expect([ignored.status, 'labels' in (await read(id))]).toEqual([ignored.status, false]);
  });

  test('a note has its author, and only its author and admins delete it', async () => {
    const id = await newContact();
    const path = `/contacts/${id}/notes`;
    const first = await grace.post(path, { text: 'Prefers the telephone.' });
    const second = await bruno.post(path, { text: 'Speaks Dutch.' });
    expect(first).toMatchObject({ status: 201, body: { user: grace.user, text: 'Prefers the telephone.' } });
    expect((await read(id)).notes).toEqual([first.body, second.body]);
    const remove = (by: Pick<KeyHolder, 'request'>, note: string) => by.request('DELETE', `${path}/${note}`);
    expect((await remove(bruno, first.body.id)).status).toBe(403);
    expect((await remove(grace, first.body.id)).status).toBe(204);
    expect((await remove(grace, first.body.id)).status).toBe(404);
    expect((await remove(product.admin, second.body.id)).status).toBe(204);
    expect(await read(id)).not.toHaveProperty('notes');
  });

  test('a note that is sent again with the same idempotency key is stored once', async () => {
    const id = await newContact();
    const key = { 'Idempotency-Key': `note-${id}` };
    const sent = [1, 2].map(() => grace.post(`/contacts/${id}/notes`, { text: 'Once' }, key));
    await Promise.all(sent);
    expect((await read(id)).notes).toHaveLength(1);
  });

  test.each([
    ['labels', { add: [' '] }, 422],
    ['labels', { add: ['x'.repeat(51)] }, 422],
    ['labels', { add: 'vip' }, 400],
    ['notes', { text: ' ' }, 400],
    ['notes', { text: 'x'.repeat(2_001) }, 400],
    ['notes', {}, 400],
  ])('a change of %s with %j is refused', async (what, body, status) => {
    const id = await newContact();
    expect((await grace.post(`/contacts/${id}/${what}`, body)).status).toBe(status);
    expect((await grace.post(`/contacts/${'0'.repeat(24)}/${what}`, { text: 'x' })).status).toBe(404);
  });

  test('guests cannot label contacts, write notes or see either', async () => {
    const id = await newContact();
    await grace.post(`/contacts/${id}/notes`, { text: 'A secret note' });
    await grace.post(`/contacts/${id}/labels`, { add: ['secret-label'] });
    const guest = await newUser(product, { role: 'viewer' });
    expect((await guest.post(`/contacts/${id}/notes`, { text: 'x' })).status).toBe(403);
    expect((await guest.post(`/contacts/${id}/labels`, { add: ['x'] })).status).toBe(403);
    const { body } = await product.admin.post('/conversations', { contact: { externalId: `c-${count}` } });
    const participants = [{ user: guest.user, role: 'viewer' }];
    await product.admin.request('PATCH', `/conversations/${body.id}`, { participants });
    const shown = await guest.get(`/conversations/${body.id}?populate=contact`);
    expect(JSON.stringify(shown.body)).not.toContain('secret');
    const page = await fetch(`${product.origin}/c/${body.slug}/messages`);
    expect(await page.text()).not.toContain('secret');
  });

  test('a label and a note are published as changes of the contact', async () => {
    const receiver = await startReceiver();
    try {
      const params = { url: receiver.url, events: ['contact.update'] };
      const { body } = await product.admin.post('/services', { name: 'notes', type: 'webhook', params });
      await eventually(
        async () => (await product.admin.get(`/services/${body.id}`)).body.status === 'active',
      );
      const id = await newContact();
      // The second request changes nothing.
      for (const add of [['vip'], ['vip']]) await grace.post(`/contacts/${id}/labels`, { add });
      await grace.post(`/contacts/${id}/notes`, { text: 'Ring first' });
      const changes = () =>
        arrivals(receiver)
          .filter(({ json }) => json.data.contact.id === id)
          .map(({ json: { data } }) => [data.previous, data.contact.labels, data.contact.notes?.[0].text]);
      await eventually(() => changes().length >= 2);
      expect(changes()).toEqual([
        [{ labels: null }, ['vip'], undefined],
        [{ notes: null }, ['vip'], 'Ring first'],
      ]);
    } finally {
      await receiver.close();
    }
  });

  test('a merge of contacts joins their labels and notes', async () => {
    const [survivor, other] = [await newContact(), await newContact()];
    await grace.post(`/contacts/${survivor}/labels`, { add: ['vip'] });
    await grace.post(`/contacts/${other}/labels`, { add: ['vip', 'late'] });
    await grace.post(`/contacts/${other}/notes`, { text: 'From the other' });
    const { status, body } = await product.admin.post(`/contacts/${survivor}/merge`, { contact: other });
    expect(status).toBe(200);
    expect(body).toMatchObject({ labels: ['vip', 'late'], notes: [{ text: 'From the other' }] });
  });
});
