import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';
import { startReceiver } from '../support/receiver.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 5: PATCH can assign a free contact to a conversation without contact. */
describe('a conversation without contact', () => {
  let product: Product;
  let bot: KeyHolder;
  let store: mongoose.Connection;
  let people = 0;

  beforeAll(async () => {
    product = await sharedApi('contact_given');
    bot = await newUser(product, { role: 'bot' });
    store = await mongoose.createConnection(product.environment['MONGODB_URI'] ?? '').asPromise();
  });
  afterAll(async () => {
    await store.close();
    await product.close();
  });

  const { make, patch, remove } = createRecordHelpers(() => product);
  const newConversation = async (body: object = {}) => (await make('/conversations', body)).id as string;
  const newContact = async (body: object = {}) => {
    const profile = { email: `given${people++}@example.com` };
    const { id } = await make('/contacts', { profile, ...body });
    return { id: id as string, profile };
  };
  const give = (conversation: string, contact: unknown) =>
    patch(`/conversations/${conversation}`, { contact });
  const contactOf = async (id: string) => (await bot.get(`/contacts/${id}`)).body;
  const conversationOf = async (id: string) => (await bot.get(`/conversations/${id}`)).body;
  const upsert = (profile: object) =>
    bot.post('/conversations', {
      ...{ organization: product.organization, type: 'contact', contact: { profile } },
      messages: [{ text: 'hi' }],
    });
  /**
   * Stores the state that a worker leaves when it stops between its two writes: the contact names
   * the conversation, but the conversation does not name the contact.
   */
  const promise = (contact: string, conversation: string) =>
    store.collection('contacts').updateOne({ _id: contact as never }, { $set: { conversation } });

  test('PATCH assigns a contact to a conversation without contact: the messages name the contact, and a search for the contact finds the conversation', async () => {
    const conversation = await newConversation({
      messages: [{ text: 'before' }, { text: 'later', delay: 600_000 }],
    });
    const contact = await newContact({ profile: { name: 'Zebediah' } });
    const { status, body } = await give(conversation, contact.id);
    expect([status, body.contact]).toEqual([200, contact.id]);
    expect((await conversationOf(conversation)).contact).toBe(contact.id);
    expect((await contactOf(contact.id)).conversation).toBe(conversation);
    await bot.post('/messages', { conversation, text: 'after' });
    const query = `/messages?conversation=${conversation}&sort=createdAt`;
    const messages = [...(await bot.get(query)).body, ...(await bot.get(`${query}&processedAt=!`)).body];
    expect(messages.map((one: any) => [one.text, one.contact])).toEqual(
      ['before', 'after', 'later'].map((text) => [text, contact.id]),
    );
    const found = await bot.get('/conversations/search?q=zebediah');
    expect(found.body.map(({ id }: any) => id)).toEqual([conversation]);
    expect((await give(conversation, contact.id)).status).toBe(200);
    const field = await bot.post('/messages', { conversation, type: 'field', text: '.locale nl' });
    expect([field.status, (await contactOf(contact.id)).profile.locale]).toEqual([201, 'nl']);
  });

  test('a conversation that gets a contact is found by upserts of the contact, and is deleted with the contact', async () => {
    const [conversation, contact] = [await newConversation(), await newContact()];
    await give(conversation, contact.id);
    const found = await upsert(contact.profile);
    expect([found.status, found.body.id]).toEqual([200, conversation]);
    expect((await remove(`/contacts/${contact.id}`)).status).toBe(204);
    expect((await bot.get(`/conversations/${conversation}`)).status).toBe(404);
    const [other, second] = [await newConversation(), await newContact()];
    await give(other, second.id);
    expect((await remove(`/conversations/${other}`)).status).toBe(204);
    expect((await bot.get(`/contacts/${second.id}`)).status).toBe(404);
  });

  test('a conversation without contact publishes the assignment of a contact once, even if the request is repeated', async () => {
    const receiver = await startReceiver();
    const organization = (await make('/organizations', { name: 'listening' })).id;
    const params = { url: receiver.url, events: ['conversation.update', 'contact.update'] };
    await make('/services', { name: 'hook', type: 'webhook', organization, params });
    const conversation = await newConversation({ organization });
    const contact = await newContact({ organization });
    expect((await give(conversation, contact.id)).status).toBe(200);
    expect((await give(conversation, contact.id)).status).toBe(200);
    await patch(`/conversations/${conversation}`, { name: 'last' });
    const told = await eventually(() => firstArrivals(receiver).length >= 2 && firstArrivals(receiver));
    expect(told.map(({ json }) => [json.event, json.data.conversation.contact])).toEqual([
      ['conversation.update', contact.id],
      ['conversation.update', contact.id],
    ]);
    await receiver.close();
  });

  test('a conversation without contact rejects a contact that is taken, absent or in another organization, and stays unchanged', async () => {
    const [conversation, free, taken] = [await newConversation(), await newContact(), await newContact()];
    await upsert(taken.profile);
    const elsewhere = await make('/organizations', { name: 'elsewhere' });
    const strange = await newContact({ organization: elsewhere.id });
    for (const [status, contact] of [
      [409, taken.id],
      [422, ABSENT],
      [422, strange.id],
      [400, null],
      [400, { profile: free.profile }],
    ] as const) {
      expect((await give(conversation, contact)).status, JSON.stringify(contact)).toBe(status);
    }
    expect(await conversationOf(conversation)).not.toHaveProperty('contact');
    // If another field of the request is invalid, the contact is not assigned.
    const refused = await patch(`/conversations/${conversation}`, {
      contact: free.id,
      name: 'x'.repeat(600),
    });
    expect(refused.status).toBe(422);
    expect(await contactOf(free.id)).not.toHaveProperty('conversation');
  });

  test('a conversation with a contact keeps this contact and rejects another contact', async () => {
    const [conversation, first, second] = [await newConversation(), await newContact(), await newContact()];
    await give(conversation, first.id);
    expect((await give(conversation, second.id)).status).toBe(409);
    expect((await conversationOf(conversation)).contact).toBe(first.id);
    expect((await upsert(second.profile)).status).toBe(201);
  });

  test('a contact that ten concurrent PATCH requests assign to different conversations is assigned to one conversation, and the other nine requests get 409', async () => {
    const contact = await newContact();
    const conversations = await Promise.all(Array.from({ length: 10 }, () => newConversation()));
    const answers = await Promise.all(conversations.map((one) => give(one, contact.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    const winner = conversations[answers.findIndex(({ status }) => status === 200)]!;
    expect((await contactOf(contact.id)).conversation).toBe(winner);
    const withContact = await bot.get(`/conversations?contact=${contact.id}`);
    expect(withContact.body.map(({ id }: any) => id)).toEqual([winner]);
  });

  test('a conversation without contact accepts one of ten concurrent contacts, and the other nine stay free', async () => {
    const conversation = await newConversation();
    const contacts = await Promise.all(Array.from({ length: 10 }, () => newContact()));
    const answers = await Promise.all(contacts.map(({ id }) => give(conversation, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    const { contact } = await conversationOf(conversation);
    for (const { id } of contacts) {
      expect((await contactOf(id)).conversation).toBe(id === contact ? conversation : undefined);
    }
  });

  test('a conversation and its contact name each other after concurrent upserts, and no conversation names a contact that is deleted concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [conversation, contact] = [await newConversation(), await newContact()];
      await Promise.all([give(conversation, contact.id), upsert(contact.profile), upsert(contact.profile)]);
      const { conversation: theirs } = await contactOf(contact.id);
      expect((await conversationOf(theirs)).contact).toBe(contact.id);
      const [, gone] = [await newConversation(), await newContact()];
      await Promise.all([give(conversation, gone.id), remove(`/contacts/${gone.id}`)]);
      expect((await bot.get(`/contacts/${gone.id}`)).status).toBe(404);
      const left = await bot.get(`/conversations/${conversation}`);
      expect(left.body.contact).not.toBe(gone.id);
    }
  });

  describe('a contact that names a conversation without contact', () => {
    test('a contact that names a conversation without contact, because a worker stopped between its two writes, is assigned to the conversation when the request is repeated', async () => {
      const [conversation, contact] = [await newConversation(), await newContact()];
      await promise(contact.id, conversation);
      expect((await give(conversation, contact.id)).body.contact).toBe(contact.id);
    });

    test('a contact that names a conversation without contact is assigned to this conversation by the next upsert', async () => {
      const [conversation, contact] = [
        await newConversation({ messages: [{ text: 'old' }] }),
        await newContact(),
      ];
      await promise(contact.id, conversation);
      const found = await upsert({ ...contact.profile, name: 'Found' });
      expect([found.status, found.body.id, found.body.contact]).toEqual([200, conversation, contact.id]);
      expect((await contactOf(contact.id)).profile.name).toBe('Found');
      const messages = (await bot.get(`/messages?conversation=${conversation}`)).body;
      expect(messages.map((one: any) => one.contact)).toEqual([contact.id, contact.id]);
    });

    test('a contact that names a conversation can get a new conversation if the named conversation has another contact or was deleted', async () => {
      const [conversation, contact, other] = [
        await newConversation(),
        await newContact(),
        await newContact(),
      ];
      await give(conversation, other.id);
      await promise(contact.id, conversation);
      const made = await upsert(contact.profile);
      expect([made.status, made.body.contact]).toEqual([201, contact.id]);
      const [removed, left] = [await newConversation(), await newContact()];
      await remove(`/conversations/${removed}`);
      await promise(left.id, removed);
      expect((await bot.post('/conversations', { contact: left.id })).status).toBe(201);
    });

    test('a contact that names a conversation without contact is deleted together with the conversation', async () => {
      const [conversation, contact] = [await newConversation(), await newContact()];
      await promise(contact.id, conversation);
      expect((await remove(`/contacts/${contact.id}`)).status).toBe(204);
      expect((await bot.get(`/contacts/${contact.id}`)).status).toBe(404);
      expect((await bot.get(`/conversations/${conversation}`)).status).toBe(404);
    });
  });
});
