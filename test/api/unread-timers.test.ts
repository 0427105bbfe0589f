import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conclusive } from '../support/conclusive.ts';
import { eventually } from '../support/eventually.ts';
import { newEventType } from '../support/event-types.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const AFTER_MS = 4_000;

/** Spec 14.1 */
describe('timers of unread replies', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('unread-timers');
    const bot = await newUser(product, { role: 'bot' });
    const quote =
      '{ "conversation": conversation, "messages": [{ "text": "Unread: " & text, "role": "bot" }] }';
    await newEventType(product, 'reply.unread', quote);
    const timer = { name: 'left', when: 'unread', after: AFTER_MS, event: 'reply.unread', user: bot.user };
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { timers: [timer] });
  });
  afterAll(() => product.close());

  const begin = async () => {
    const { body } = await product.admin.post('/conversations', {
      messages: [{ text: 'Hi', role: 'contact' }],
    });
    return { id: body.id as string, slug: body.slug as string };
  };
  const buildReply = (conversation: string, text: string, more: object = {}) => ({
    ...{ conversation, text, role: 'agent', isBackchannel: false, ...more },
  });
  const post = async (message: object) => {
    const { status, body } = await product.admin.post('/messages', message);
    expect(status).toBe(201);
    return body.sequence as number;
  };
  const reply = (conversation: string, text: string) => post(buildReply(conversation, text));
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
    await post([
      buildReply(id, 'It costs <b>5</b> euros', { contentType: 'text/html' }),
      buildReply(id, 'a note', { isBackchannel: true }),
      buildReply(id, 'Shall I order it?'),
    ]);
    expect(await untilQuotes(id, 1)).toEqual(['Unread: It costs 5 euros\n\nShall I order it?']);
    await reply(id, 'It is the last one.');
    expect((await untilQuotes(id, 2))[1]).toBe('Unread: It is the last one.');
  });

  test('a timer posts no event if the contact has read the replies or has written', async () => {
    const options = { method: 'PUT', headers: { 'Content-Type': 'application/json' } };
    const read = await conclusive(AFTER_MS, async () => {
      const { id, slug } = await begin();
      const body = JSON.stringify({ sequence: await reply(id, 'You will read this') });
      const noted = await fetch(`${product.origin}/c/${slug}/read`, { ...options, body });
      expect(noted.status).toBe(204);
      return id;
    });
    const answered = await conclusive(AFTER_MS, async () => {
      const { id } = await begin();
      await reply(id, 'You will answer this');
      await post({ conversation: id, text: 'Thanks', role: 'contact' });
      return id;
    });
    const left = (await begin()).id;
    await reply(left, 'You have left');
    await untilQuotes(left, 1);
    expect([await quotes(read), await quotes(answered)]).toEqual([[], []]);
  });
});
