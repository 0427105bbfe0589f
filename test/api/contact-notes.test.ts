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

/** Spec 4.12 */
describe('the profile of a contact', () => {
  const pathOf = (id: string) => `/contacts/${id}/profile`;
  const patch = (by: KeyHolder, id: string, body: object, headers = {}) =>
    by.request('PATCH', pathOf(id), body, headers);

  test('agents edit different fields of a profile at the same time, and both changes stay', async () => {
    const id = await newContact({ profile: { name: 'Ada', givenName: 'Ada', address: { city: 'Delft' } } });
    const answers = await Promise.all([
      patch(grace, id, { name: 'Ada Lovelace', givenName: null }),
      patch(bruno, id, { email: ' Ada@Example.com ', locale: 'nl' }),
      patch(bruno, id, { telephone: '+31201234567' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const expected = {
      ...{ name: 'Ada Lovelace', email: 'ada@example.com', telephone: '+31201234567', locale: 'nl' },
      address: { city: 'Delft' },
    };
    expect((await read(id)).profile).toEqual(expected);
    expect((await grace.get(pathOf(id))).body).toEqual(expected);
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const { body } = await patch(grace, id, { address: { street: 'Oude Delft 1' } }, merge);
    expect(body.address).toEqual({ city: 'Delft', street: 'Oude Delft 1' });
    const found = await grace.get('/conversations/search?q=lovelace');
    expect(found.status).toBe(200);
  });

  test('a change of a profile with If-Match succeeds with the tag of the profile and fails with an older tag', async () => {
    const id = await newContact({ profile: { name: 'Ada' } });
    const tag = (await grace.get(pathOf(id))).headers.get('etag') ?? '';
    expect((await patch(grace, id, { name: 'Ada L.' }, { 'If-Match': tag })).status).toBe(200);
    const late = await patch(bruno, id, { name: 'A.' }, { 'If-Match': tag });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect((await read(id)).profile.name).toBe('Ada L.');
  });

  test('a profile keeps its rules for agents: valid values, and no email of another contact', async () => {
    const email = `taken-${(count += 1)}@example.com`;
    const [id, other] = [await newContact(), await newContact({ profile: { email } })];
    const taken = await patch(grace, id, { email });
    expect([taken.status, taken.body.conflict]).toEqual([409, { resource: 'contacts', id: other }]);
    expect((await patch(grace, id, { email: 'mailto:x' })).status).toBe(400);
    expect((await patch(grace, id, { name: '' })).status).toBe(400);
    expect((await patch(grace, 'ffffffffffffffffffffffff', { name: 'x' })).status).toBe(404);
    await patch(grace, id, { externalId: 'x', meta: { a: 1 } });
    expect(await read(id)).toMatchObject({ profile: {}, meta: {} });
    expect((await read(id)).externalId).not.toBe('x');
    const viewer = await newUser(product, { role: 'viewer' });
    expect((await patch(viewer, id, { name: 'x' })).status).toBe(403);
  });

  test('a change of a profile by an agent publishes contact.update', async () => {
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['contact.update'] };
    await product.admin.post('/services', { name: 'profiles', type: 'webhook', params });
    const id = await newContact({ profile: { name: 'Ada' } });
    await patch(grace, id, { name: 'Grace' });
    const told = await eventually(() =>
      arrivals(receiver).find(({ json }) => json.data.contact?.profile?.name === 'Grace'),
    );
    expect(told.json.data.contact.id).toBe(id);
    await receiver.close();
  });
});
