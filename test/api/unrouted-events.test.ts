import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newEventType } from '../support/event-types.ts';
import type { ApiResponse } from '../support/client.ts';
import type { Product } from '../support/product.ts';

const EXPRESSION = '{"conversation": conversation, "messages": [{"text": text}]}';

/** Spec 8.3. */
describe('an event without event type', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('unrouted_events');
    bot = await newUser(product, { role: 'bot' });
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });

  afterAll(() => product.close());

  const idOf = ({ headers }: ApiResponse<any>) => headers.get('location')!.split('/').at(-1)!;

  test('an event without event type gets 404, is stored with its body, and is listed as unrouted', async () => {
    const answer = await bot.post('/events/nobody.knows', { conversation, text: 'early' });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    const record = await bot.get(`/events/${idOf(answer)}`);
    expect(record.body).toMatchObject({
      name: 'nobody.knows',
      status: 'unrouted',
      body: { conversation, text: 'early' },
      conversations: [],
      messages: [],
    });
    expect(record.body).not.toHaveProperty('eventtype');
    const listed = await bot.get('/events?status=unrouted&name=nobody.knows');
    expect(listed.body).toHaveLength(1);
  });

  test('the response to an event without event type suggests similar names from the sender’s organization, but no name from an ancestor', async () => {
    const organization = (await product.admin.post('/organizations', { name: 'unrouted below' })).body.id;
    const below = await newUser(product, { role: 'bot', organization });
    await newEventType(product, 'secret.merger', EXPRESSION);
    await newEventType(product, 'own.merger', EXPRESSION, organization);
    const wordsOn = async (name: string) => (await below.post(`/events/${name}`, {})).body.message as string;
    expect(await wordsOn('secret.merge')).not.toContain('secret.merger');
    expect(await wordsOn('own.merge')).toContain('did you mean own.merger?');
  });

  test('an event does not run after its API key was revoked', async () => {
    const sender = await newUser(product, { role: 'bot' });
    const answer = await sender.post('/events/key.is.revoked', { conversation, text: 'stolen' });
    await product.admin.request('DELETE', `/users/${sender.user}/apikeys/${sender.key}`);
    await newEventType(product, 'key.is.revoked', EXPRESSION);
    const retried = await bot.post(`/events/${idOf(answer)}/retry`);
    expect(retried.body.message ?? JSON.stringify(retried.body)).toContain('has been revoked');
    expect((await bot.get(`/events/${idOf(answer)}`)).body.status).toBe('failed');
  });

  test('a retry processes an event once after its missing event type is created', async () => {
    const answer = await bot.post('/events/type.comes.later', { conversation, text: 'waited' });
    const id = idOf(answer);
    expect((await bot.post(`/events/${id}/retry`)).status).toBe(404);
    const type = await newEventType(product, 'type.comes.later', EXPRESSION);
    const retried = await bot.post(`/events/${id}/retry`);
    expect(retried.body, JSON.stringify(retried.body)).toMatchObject({ id, status: 'processed' });
    expect((await bot.get(`/events/${id}`)).body).toMatchObject({ eventtype: type, status: 'processed' });
    expect((await bot.post(`/events/${id}/retry`)).body).toEqual(retried.body);
    const found = await bot.get(`/messages?conversation=${conversation}&text=waited`);
    expect(found.body).toHaveLength(1);
  });

  test('an event without event type is stored once if it is posted repeatedly, and is processed if it is posted after its type is created', async () => {
    const event = {
      specversion: '1.0',
      id: '1',
      source: 's',
      type: 'sent.again',
      data: { conversation, text: 'again' },
    };
    const send = () => bot.post('/events', event, { 'Content-Type': 'application/cloudevents+json' });
    const early = [await send(), await send()];
    expect(early.map(({ status }) => status)).toEqual([404, 404]);
    expect(idOf(early[1]!)).toBe(idOf(early[0]!));
    await newEventType(product, 'sent.again', EXPRESSION);
    expect((await send()).body).toMatchObject({ id: idOf(early[0]!), status: 'processed' });
    expect((await bot.get('/events?name=sent.again')).body).toHaveLength(1);
  });

  test('events without event type are stored up to 16 MiB per caller, without effect on other callers', async () => {
    const flooding = await newUser(product, { role: 'bot' });
    const large = JSON.stringify('x'.repeat(1024 * 1024 - 100));
    const answers: ApiResponse<any>[] = [];
    for (let at = 0; at < 18; at += 1) answers.push(await flooding.post(`/events/flood.${at}`, large));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    const kept = answers.filter(({ headers }) => headers.has('location'));
    expect(kept).toHaveLength(16);
    expect(answers.at(-1)!.body.message).toContain('was not kept');
    const total = await bot.get(`/events?createdBy=${flooding.user}&limit=1`);
    expect(total.headers.get('x-total')).toBe('16');
    expect((await bot.post('/events/flood.0', {})).headers.has('location')).toBe(true);
  });

  test('an event without event type is hidden from other organizations', async () => {
    const organization = (await product.admin.post('/organizations', { name: 'beside' })).body.id;
    const beside = await newUser(product, { role: 'bot', organization });
    const id = idOf(await bot.post('/events/nobody.knows', {}));
    expect((await beside.get(`/events/${id}`)).status).toBe(404);
    expect((await beside.post(`/events/${id}/retry`)).status).toBe(404);
  });
});
