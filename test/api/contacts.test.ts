import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';
import { startReceiver } from '../support/receiver.ts';

const ABSENT = 'ffffffffffffffffffffffff';

interface Told {
  event: string;
  data: { contact?: { id: string } };
}

/** Spec 5.8: contacts and their conversations. */
describe('contacts', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('contacts');
  });
  afterAll(() => product.close());

  const { make, patch, remove } = createRecordHelpers(() => product);

  test('a contact is deleted with its conversation and all messages', async () => {
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

  test('a contact without a conversation can be deleted', async () => {
    const profile = { email: 'lone@example.com' };
    const { id } = await make('/contacts', { profile });
    expect((await remove(`/contacts/${id}`)).status).toBe(204);
    expect((await product.admin.get(`/contacts/${id}`)).status).toBe(404);
    expect((await remove(`/contacts/${id}`)).status).toBe(404);
    await make('/contacts', { profile });
  });

  test('the deletion of a contact publishes contact.delete once, whether or not the contact has a conversation', async () => {
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

  test('contacts cannot move to another organization', async () => {
    const { id, organization } = await make('/contacts', {});
    const other = (await make('/organizations', { name: 'other' })).id;
    expect((await patch(`/contacts/${id}`, { organization })).status).toBe(200);
    expect((await patch(`/contacts/${id}`, { organization: other })).status).toBe(422);
    expect((await patch(`/contacts/${id}`, { organization: ABSENT })).status).toBe(403);
  });

  describe('the email and telephone of a contact', () => {
    let organization: string;
    const find = async (query: string) => {
      const { status, body } = await product.admin.get(`/contacts?organization=${organization}&${query}`);
      expect(status, query).toBe(200);
      return (body as { id: string }[]).map(({ id }) => id);
    };
    const upsert = async (profile: object, more: object = {}) =>
      product.admin.post('/conversations', {
        ...{ organization, contact: { profile }, messages: [{ text: 'hi' }] },
        ...more,
      });

    beforeAll(async () => {
      organization = (await make('/organizations', { name: 'identities', country: 'NL' })).id;
    });

    test('a contact is found by every spelling of email and telephone that a write accepts, also with an unencoded +', async () => {
      const profile = { email: 'Ada+Shop@Example.com', telephone: '06 87 65 43 21' };
      const { id, profile: stored } = await make('/contacts', { organization, profile });
      expect(stored).toEqual({ email: 'ada+shop@example.com', telephone: '+31687654321' });
      for (const query of [
        'profile.email=ADA%2BSHOP@example.com',
        'profile.email=ada+shop@example.com',
        'profile.email=[x@x.nl,ADA+shop@example.com]',
        'profile.telephone=06 87 65 43 21',
        'profile.telephone=+31687654321',
        'profile.telephone=%2B31 6 87654321',
        'profile.telephone=31687654321',
        'profile.telephone=[+31687654320,+31687654321]',
        'profile.telephone=%2B31687654321&profile.email=ada+shop@example.com',
        'profile.telephone,profile.name=0687654321',
      ]) {
        expect([query, await find(query)]).toEqual([query, [id]]);
      }
      expect(await find('profile.email=!=ADA%2Bshop@example.com')).toEqual([]);
      for (const filter of [
        '"profile.telephone": "+31 6 87 65 43 21"',
        '"profile.telephone": 31687654321',
        '"profile.email": "ADA+Shop@example.com"',
      ]) {
        const jsonata = `{ "conversation": $contact({ "organization": "${organization}", ${filter} }).id, "messages": [{ "text": "x" }] }`;
        const previewed = await product.admin.post('/eventtypes/preview', { jsonata, body: {} });
        // The id of a contact never names a conversation, so the preview is 422 in any case. The
        // error message shows whether `$contact` found the contact.
        expect([previewed.status, previewed.body.error.message]).toEqual([
          422,
          expect.not.stringContaining('neither was found'),
        ]);
      }
      expect(await find('profile.email=%E2%84%AAate@example.com')).toEqual([]);
    });

    test('a contact keeps its stored values when an upsert has empty strings', async () => {
      const profile = {
        ...{ email: 'empty@example.com', name: 'Ada', givenName: 'Ada', locale: 'nl' },
        address: { street: 'Damrak 1' },
      };
      const made = await upsert(profile, { name: 'Order', language: 'nl' });
      expect(made.status).toBe(201);
      const empty = {
        ...{
          email: 'empty@example.com',
          telephone: '',
          name: '',
          givenName: ' ',
          familyName: '',
          locale: '',
        },
        address: { street: '', city: '\u200b' },
      };
      const again = await upsert(empty, { name: '', category: '', language: ' ' });
      expect([again.status, again.body.id]).toEqual([200, made.body.id]);
      expect(again.body).toMatchObject({ name: 'Order', language: 'nl' });
      const contact = (await product.admin.get(`/contacts/${made.body.contact}`)).body;
      expect(contact.profile).toEqual(profile);
      expect((await upsert({ email: ' ', telephone: '', name: 'Ada' })).status).toBe(400);
      const created = await make('/contacts', {
        organization,
        profile: { ...empty, email: '', name: 'Bea' },
      });
      expect(created.profile).toEqual({ name: 'Bea' });
    });

    test('a contact is rejected for a telephone extension, a sentence as telephone, or a hidden character or look-alike letter in the email', async () => {
      for (const [status, profile, words] of [
        [422, { telephone: '+31 20 123 4567 ext. 12' }, 'ext. 12'],
        [400, { telephone: 'call me at +31612345678 please' }, 'nothing else'],
        [400, { email: 'ada\u200b@example.com' }, 'U+200B'],
        [400, { email: '\u212Aate@example.com' }, 'plain form'],
      ] as const) {
        for (const { status: answered, body } of [
          await upsert(profile),
          await product.admin.post('/contacts', { organization, profile }),
        ]) {
          expect([answered, body.error.message]).toEqual([status, expect.stringContaining(words)]);
        }
      }
    });

    test('a contact in Argentina is found by the number with and without the 9, and keeps the stored form', async () => {
      const made = await upsert({ telephone: '+54 9 11 2345-6789', name: 'Eva' });
      const again = await upsert({ telephone: '+54 11 2345-6789', name: 'Eva P.' });
      expect([again.status, again.body.id]).toEqual([200, made.body.id]);
      const { profile } = (await product.admin.get(`/contacts/${made.body.contact}`)).body;
      expect(profile).toEqual({ telephone: '+5491123456789', name: 'Eva P.' });
      expect(await find('profile.telephone=+541123456789')).toEqual([made.body.contact]);
    });

    test('a number of Argentina that another contact has in its other form is 409 by POST and PATCH', async () => {
      const made = await upsert({ telephone: '+54 9 351 234 5678' });
      const profile = { telephone: '+54 351 234 5678' };
      const posted = await product.admin.post('/contacts', { organization, profile });
      const other = await product.admin.post('/contacts', { organization, profile: { name: 'Ines' } });
      const patched = await product.admin.request('PATCH', `/contacts/${other.body.id}`, { profile });
      for (const { status, body } of [posted, patched]) {
        expect(status).toBe(409);
        expect(body.conflict).toEqual({ resource: 'contacts', id: made.body.contact });
      }
      const own = await product.admin.request('PATCH', `/contacts/${made.body.contact}`, { profile });
      expect([own.status, own.body.profile.telephone]).toEqual([200, '+543512345678']);
    });
  });
});
