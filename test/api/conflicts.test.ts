import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';

/** Spec 2.4: a 409 names the record that has the value. */
describe('a value that is taken', () => {
  let product: Product;
  const { make, patch } = createRecordHelpers(() => product);

  beforeAll(async () => {
    product = await sharedApi('conflicts');
  });
  afterAll(() => product.close());

  test('the 409 of a contact names the field and the other contact, on create and on change', async () => {
    const profile = { email: 'taken@example.com', telephone: '+31201230001' };
    const { id } = await make('/contacts', { profile, externalId: 'taken' });
    const free = await make('/contacts', {});
    for (const [path, body] of [
      ['profile.email', { profile: { email: 'TAKEN@example.com' } }],
      ['profile.telephone', { profile: { telephone: '+31 20 123 0001' } }],
      ['externalId', { externalId: 'taken' }],
    ] as const) {
      for (const answer of [
        await product.admin.post('/contacts', body),
        await patch(`/contacts/${free.id}`, body),
      ]) {
        expect([answer.status, answer.body.conflict, answer.body.details[0].path]).toEqual([
          409,
          { resource: 'contacts', id },
          path,
        ]);
      }
    }
  });

  test('the 409 of an event type and of a second conversation name the record', async () => {
    const type = await make('/eventtypes', { name: 'taken.name' });
    const again = await product.admin.post('/eventtypes', { name: 'taken.name' });
    expect([again.status, again.body.conflict]).toEqual([409, { resource: 'eventtypes', id: type.id }]);
    const contact = { profile: { email: 'talks@example.com' } };
    const talk = await make('/conversations', { contact });
    const second = await product.admin.post('/conversations', { contact: talk.contact });
    expect([second.status, second.body.conflict]).toEqual([409, { resource: 'conversations', id: talk.id }]);
  });

  test("the 409 of a user's email names no user of another organization", async () => {
    const mine = await make('/users', { role: 'agent', email: 'mine@conflicts.example' });
    const again = await product.admin.post('/users', { role: 'agent', email: 'mine@conflicts.example' });
    expect([again.status, again.body.conflict]).toEqual([409, { resource: 'users', id: mine.id }]);
    const below = await make('/organizations', { name: 'below' });
    const admin = await newUser(product, { role: 'admin', organization: below.id });
    const hidden = await admin.post('/users', { role: 'agent', email: 'mine@conflicts.example' });
    expect([hidden.status, hidden.body.conflict]).toEqual([409, undefined]);
  });

  test('a field message with the email of another contact names that contact', async () => {
    const holder = await make('/contacts', { profile: { email: 'holder@example.com' } });
    const talk = await make('/conversations', { contact: { profile: { email: 'asks@example.com' } } });
    const field = { conversation: talk.id, type: 'field', text: '.email holder@example.com' };
    const { status, body } = await product.admin.post('/messages', field);
    expect([status, body.conflict]).toEqual([409, { resource: 'contacts', id: holder.id }]);
  });

  describe('PUT /eventtypes/by-name/{name}', () => {
    const put = (name: string, body: object) =>
      product.admin.request('PUT', `/eventtypes/by-name/${name}`, body);

    test('PUT by name creates an event type, then replaces it as a whole and keeps its id and ingest address', async () => {
      const made = await put('deployed.type', { jsonata: '{}', description: 'first' });
      expect([made.status, made.body.name]).toEqual([201, 'deployed.type']);
      const { id } = made.body;
      const bot = await newUser(product, { role: 'bot' });
      await make(`/eventtypes/${id}/ingest`, { user: (await bot.get('/users/me')).body.id });
      const replaced = await put('deployed.type', { jsonata: '[]' });
      expect([replaced.status, replaced.body.id, replaced.body.jsonata]).toEqual([200, id, '[]']);
      expect(replaced.body).not.toHaveProperty('description');
      expect((await product.admin.get(`/eventtypes/${id}/ingest`)).status).toBe(200);
      expect((await put('jsonata', { jsonata: '{}' })).body.name).toBe('jsonata');
    });

    test('PUT by name makes one event type of twenty requests at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => put('at.once', { jsonata: '{}' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    });

    test('PUT by name rejects an invalid name, a broken expression and a foreign organization', async () => {
      expect((await put('not%20a%20name', {})).status).toBe(400);
      expect((await put('x'.repeat(300), {})).status).toBe(400);
      expect((await put('broken.type', { jsonata: '{' })).status).toBe(422);
      expect((await put('foreign.type', { organization: 'ffffffffffffffffffffffff' })).status).toBe(403);
      expect((await product.admin.get('/eventtypes?name=broken.type')).body).toEqual([]);
    });
  });
});
