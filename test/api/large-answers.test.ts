import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { listen } from '../support/stream.ts';

/** Spec 9: the size of a response is bounded, also when few records repeat many times. */
describe('the size limit of a response', () => {
  let product: Product;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('large-answers');
    conversation = (await product.admin.post('/conversations', {})).body.id;
    const messages = Array.from({ length: 100 }, () => ({
      type: 'chat',
      role: 'contact',
      text: 'x'.repeat(200),
    }));
    for (let n = 0; n < 4; n += 1) {
      const posted = await product.admin.post(`/conversations/${conversation}/messages`, messages);
      expect(posted.status).toBe(201);
    }
  });
  afterAll(() => product.close());

  const messages = (query: string) =>
    product.admin.get(`/messages?conversation=${conversation}&limit=400&${query}`);

  test.each([
    'populate=conversation.messages',
    'populate=conversation.messages:text',
    'populate=conversation:messages,conversation.messages,conversation.messages.conversation',
    'select=conversation&populate=conversation.messages',
  ])('a response that would repeat records too many times is rejected with 400: %s', async (query) => {
    const { status, headers, body } = await messages(query);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'populate']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('the size limit of a response applies also to a single record in which populated records repeat', async () => {
    const path = `/conversations/${conversation}?populate=messages,messages.conversation,messages.conversation.messages`;
    const { status, body } = await product.admin.get(path);
    expect([status, body.details[0].path]).toEqual([400, 'populate']);
  });

  test('the size limit of a response permits many repeated records if few of their fields are selected', async () => {
    const { status, body } = await messages('select=conversation&populate=conversation.messages:id');
    expect(status).toBe(200);
    expect(body).toHaveLength(400);
    expect(body[399].conversation.messages).toHaveLength(400);
  });

  test('the size limit of a response permits a whole conversation with its messages populated', async () => {
    const { status, body } = await product.admin.get(`/conversations/${conversation}?populate=messages`);
    expect(status).toBe(200);
    expect(body.messages[399].text).toBe('x'.repeat(200));
  });
});

describe('a read of a long conversation', () => {
  let product: Product;
  let slug: string;
  let id: string;
  const text = '😀'.repeat(30_000);

  beforeAll(async () => {
    product = await sharedApi('large-chat-pages');
    const conversation = (await product.admin.post('/conversations', {})).body;
    id = conversation.id;
    slug = conversation.url.split('/').at(-1);
    for (let n = 0; n < 6; n += 1) {
      const some = Array.from({ length: 5 }, () => ({ type: 'chat', role: 'contact', text }));
      expect((await product.admin.post(`/conversations/${id}/messages`, some)).status).toBe(201);
    }
  });
  afterAll(() => product.close());

  const root = () => product.base.replace(/\/v2$/, '');

  test('a long conversation is returned in pages of about 1 Mi characters of text, and `more` is true on all pages but the last', async () => {
    const read: number[] = [];
    const sizes: number[] = [];
    for (let before = 1_000, more = true; more; before = read[0] ?? 0) {
      const answer = await fetch(`${root()}/c/${slug}/messages?limit=500&before=${before}`);
      const page = (await answer.json()) as { messages: { sequence: number }[]; more: boolean };
      read.unshift(...page.messages.map(({ sequence }) => sequence));
      sizes.push(page.messages.length);
      more = page.more;
    }
    expect(read).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes) * text.length).toBeLessThan(1024 * 1024 + text.length);
  });

  test.each([
    ['a contact', () => listen(`${root()}/c/${slug}/stream?after=0`)],
    [
      'an agent',
      () => listen(`${product.base}/conversations/${id}/stream?after=0`, { token: product.token }),
    ],
  ])('a stream from the start of a long conversation sends all messages to %s', async (_, open) => {
    const listener = await open();
    await listener.until(({ event }) => event === 'conversation');
    const sequences = listener.heard.filter(({ event }) => event === 'message');
    expect(sequences.map(({ data }) => data.sequence)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    await listener.close();
  });
});
