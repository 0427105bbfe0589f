import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newEventType } from '../support/event-types.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 14.1 */
describe('timers of unread replies', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('unread-timers');
    const bot = await newUser(product, { role: 'bot' });
    const quote =
      '{ "conversation": conversation, "messages": [{ "text": "Unread: " & text, "role": "bot" }] }';
    await newEventType(product, 'reply.unread', quote);
    const timer = { name: 'left', when: 'unread', after: 2_000, event: 'reply.unread', user: bot.user };
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { timers: [timer] });
  });
  afterAll(() => product.close());

  const begin = async () => {
    const { body } = await product.admin.post('/conversations', {
      messages: [{ text: 'Hi', role: 'contact' }],
    });
    return { id: body.id as string, slug: body.slug as string };
  };
  const reply = async (conversation: string, text: string, more: object = {}) => {
    const body = { conversation, text, role: 'agent', isBackchannel: false, ...more };
    return (await product.admin.post('/messages', body)).body.sequence as number;
  };
  const quotes = async (conversation: string): Promise<string[]> => {
    const { body } = await product.admin.get(`/messages?conversation=${conversation}&role=bot&sort=sequence`);
    return body.map(({ text }: { text: string }) => text);
  };
  const untilQuotes = (conversation: string, count: number) =>
    eventually(async () => {
      const found = await quotes(conversation);
      return found.length >= count && found;
    });

  test('a timer posts the unread replies of a burst in one event, and later replies in another event', async () => {
    const { id } = await begin();
    await reply(id, 'It costs <b>5</b> euros', { contentType: 'text/html' });
    await reply(id, 'a note', { isBackchannel: true });
    await reply(id, 'Shall I order it?');
    expect(await untilQuotes(id, 1)).toEqual(['Unread: It costs 5 euros\n\nShall I order it?']);
    await reply(id, 'It is the last one.');
    expect((await untilQuotes(id, 2))[1]).toBe('Unread: It is the last one.');
  });

  test('a timer posts no event if the contact has read the replies or has written', async () => {
    const [read, answered, left] = [await begin(), await begin(), await begin()];
    const last = await reply(read.id, 'You will read this');
    await reply(answered.id, 'You will answer this');
    const options = { method: 'PUT', headers: { 'Content-Type': 'application/json' } };
    const noted = await fetch(`${product.origin}/c/${read.slug}/read`, {
      ...options,
      body: JSON.stringify({ sequence: last }),
    });
    expect(noted.status).toBe(204);
    await product.admin.post('/messages', { conversation: answered.id, text: 'Thanks', role: 'contact' });
    await reply(left.id, 'You have left');
    await untilQuotes(left.id, 1);
    expect([await quotes(read.id), await quotes(answered.id)]).toEqual([[], []]);
  });
});
