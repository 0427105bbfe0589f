import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';

/** Spec 5.7: an upsert updates an existing contact and its conversation. */
describe('an upsert', () => {
  let product: Product;
  let bot: KeyHolder;
  let receiver: Receiver;
  let people = 0;

  beforeAll(async () => {
    product = await sharedApi('upserts');
    bot = await newUser(product, { role: 'bot' });
    receiver = await startReceiver();
    const categories = [{ name: 'sales' }, { name: 'support' }];
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { categories });
    const params = { url: receiver.url, events: ['conversation', 'contact', 'message'] };
    await product.admin.post('/services', { name: 'all', type: 'webhook', params });
  });
  afterAll(async () => {
    await product.close();
    await receiver.close();
  });

  const someone = () => ({ email: `upserted${people++}@example.com` });
  const upsert = (profile: object, more: object = {}) =>
    bot.post('/conversations', {
      ...{ organization: product.organization, type: 'contact', contact: { profile } },
      messages: [{ text: 'hi' }],
      ...more,
    });
  const contactOf = async ({ contact }: { contact: string }) => (await bot.get(`/contacts/${contact}`)).body;
  /** Waits for a message with this text and returns the events of the conversation in order. */
  const toldUntil = (conversation: string, text: string) =>
    eventually(() => {
      const told = firstArrivals(receiver)
        .map(({ json }) => json)
        .filter(({ data }) => data.conversation?.id === conversation);
      return told.some(({ data }) => data.message?.text === text) ? told : undefined;
    });

  test('the response to an upsert suggests the type contact if the upsert creates a conversation without type', async () => {
    const profile = someone();
    const created = await upsert(profile, { type: undefined });
    expect([created.status, created.body.type]).toEqual([201, 'bot']);
    expect(created.headers.get('X-Hint')).toContain('"type": "contact"');
    const found = await upsert(profile, { type: undefined });
    expect([found.status, found.headers.get('X-Hint')]).toEqual([200, null]);
    const typed = await upsert(someone());
    expect([typed.status, typed.headers.get('X-Hint')]).toEqual([201, null]);
  });

  test('an upsert updates the given fields of profile and conversation and keeps the other fields', async () => {
    const profile = someone();
    const made = await upsert(
      { ...profile, name: 'Ada', address: { city: 'Delft' } },
      {
        ...{ name: 'Before', language: 'nl', category: 'sales', status: 'active' },
        meta: { a: 1, b: { c: 2 }, d: 4 },
      },
    );
    expect(made.body).toMatchObject({ status: 'active', category: 'sales', categoryIndex: 0 });
    const found = await upsert(
      { ...profile, name: 'Ada L.', telephone: '+12025550160', address: { street: 'Oude Delft' } },
      {
        ...{ name: 'After', categoryIndex: 1, status: 'closed', type: 'agent' },
        meta: { a: 2, b: { e: 5 }, d: null },
      },
    );
    expect([found.status, found.body.id]).toEqual([200, made.body.id]);
    expect(found.headers.get('x-ignored-fields')).toBe('status, type');
    expect(found.body).toMatchObject({
      ...{ name: 'After', language: 'nl', category: 'support', categoryIndex: 1 },
      ...{ status: 'active', type: 'contact' },
    });
    expect(found.body.meta).toEqual({ a: 2, b: { e: 5 } });
    expect(found.body.messages).toHaveLength(2);
    expect((await contactOf(found.body)).profile).toEqual({
      ...{ ...profile, name: 'Ada L.', telephone: '+12025550160' },
      address: { city: 'Delft', street: 'Oude Delft' },
    });
    const { replaced: _, ...conversation } = found.body;
    expect((await bot.get(`/conversations/${made.body.id}`)).body).toEqual(conversation);
  });

  test('an upsert publishes each update once, before the messages, and publishes no update if nothing changes', async () => {
    const profile = someone();
    const { id } = (await upsert(profile)).body;
    await upsert(
      { ...profile, name: 'Bob' },
      { name: 'New', meta: { k: 'v' }, messages: [{ text: 'second' }] },
    );
    await upsert(
      { ...profile, name: 'Bob' },
      { name: 'New', meta: { k: 'v' }, messages: [{ text: 'third' }] },
    );
    const told = await toldUntil(id, 'third');
    expect(told.map(({ event, data }) => data.message?.text ?? event)).toEqual([
      ...['conversation.create', 'hi', 'conversation.update', 'contact.update', 'second', 'third'],
    ]);
    expect(told[2].data.conversation).toMatchObject({ name: 'New', meta: { k: 'v' } });
    expect(told[3].data.contact.profile).toEqual({ ...profile, name: 'Bob' });
    expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('an upsert that is sent twenty times at once publishes contact.update and conversation.update once each', async () => {
    const profile = someone();
    const { id } = (await upsert(profile)).body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upsert({ ...profile, name: 'Carol' }, { language: 'fr' })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`))).toEqual(
      new Set([`200 ${id}`]),
    );
    const last = await upsert(profile, { messages: [{ text: 'the last' }] });
    expect(last.body.messages).toHaveLength(22);
    const told = (await toldUntil(id, 'the last')).map(({ event }) => event as string);
    expect(told.filter((event) => event.endsWith('.update')).sort()).toEqual([
      'contact.update',
      'conversation.update',
    ]);
  });

  test('each of twenty concurrent upserts applies its fields, profile and message together', async () => {
    const profile = someone();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        upsert(
          { ...profile, name: `N${n}` },
          { name: `N${n}`, meta: { [`k${n}`]: n }, messages: [{ text: `N${n}` }] },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    const { id } = answers[0]!.body;
    const { body } = await upsert(profile, { messages: [{ text: 'the last' }] });
    expect(body.meta).toEqual(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, n])));
    const told = await toldUntil(id, 'the last');
    const texts = told.flatMap(({ data }) => data.message?.text ?? []);
    // Each message event has the fields of its upsert. The fields of the last upsert remain.
    for (const { data } of told.filter(({ data }) => data.message && data.message.text !== 'the last')) {
      expect(data.conversation.name).toBe(data.message.text);
    }
    expect(body.name).toBe(texts.at(-2));
    expect((await contactOf(body)).profile.name).toBe(body.name);
  });

  test('an upsert is rejected as a whole if one part is invalid', async () => {
    const profile = someone();
    const made = await upsert(profile, { name: 'Same', meta: { big: 'x'.repeat(10_000) } });
    const before = [(await bot.get(`/conversations/${made.body.id}`)).body, await contactOf(made.body)];
    const address = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, 'x']));
    for (const [status, contact, more] of [
      [422, {}, { meta: { more: 'x'.repeat(10_000) } }],
      [422, {}, { name: 'x'.repeat(600) }],
      [422, {}, { category: 'sales', categoryIndex: 1 }],
      [422, { name: 'New' }, { messages: [{ type: 'command', text: '/set status lost' }] }],
      [400, {}, { meta: { 'a.b': 1 } }],
      [422, { telephone: '+1 000' }, {}],
    ] as const) {
      expect((await upsert({ ...profile, ...contact }, more)).status).toBe(status);
    }
    expect([(await bot.get(`/conversations/${made.body.id}`)).body, await contactOf(made.body)]).toEqual(
      before,
    );
    expect((await upsert({ ...profile, address })).status).toBe(200);
    expect((await upsert({ ...profile, address: { more: 'x' } })).status).toBe(422);
    expect((await upsert({ ...profile, address: { f1: 'y' } })).status).toBe(200);
  });

  test('an upsert with the status closed creates a closed conversation, which is not queued', async () => {
    expect((await upsert(someone(), { status: 'closed' })).body.status).toBe('closed');
  });

  test('an upsert ignores an empty email if it has a telephone, and an empty telephone if it has an email', async () => {
    const { email } = someone();
    const made = await upsert({ email, telephone: '' });
    expect(made.status).toBe(201);
    expect((await contactOf(made.body)).profile).toEqual({ email });
    const byTelephone = await upsert({ email: ' ', telephone: '+12025550161' });
    expect(byTelephone.status).toBe(201);
    expect((await contactOf(byTelephone.body)).profile).toEqual({ telephone: '+12025550161' });
    expect((await upsert({ email: '', telephone: '' })).status).toBe(400);
    expect((await upsert({ email: '' })).status).toBe(400);
  });

  test('an upsert finds the contact of a Mexican telephone number with or without the former digit 1', async () => {
    const made = await upsert({ telephone: '+5215512345678' });
    expect(made.status).toBe(201);
    expect((await contactOf(made.body)).profile.telephone).toBe('+525512345678');
    for (const telephone of ['+52 55 1234 5678', '+52 1 55 1234 5678']) {
      const found = await upsert({ telephone });
      expect([found.status, found.body.id]).toEqual([200, made.body.id]);
    }
    const other = await bot.post('/contacts', { profile: { telephone: '+521 55 1234 5678' } });
    expect(other.status).toBe(409);
    const field = { conversation: made.body.id, type: 'field', text: '.telephone +5215587654321' };
    expect((await bot.post('/messages', field)).status).toBe(201);
    expect((await contactOf(made.body)).profile.telephone).toBe('+525587654321');
  });
});
