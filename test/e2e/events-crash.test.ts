import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';

describe('a business event', () => {
  let product: OwnProduct;
  let bot: KeyHolder;
  let conversations: string[];

  beforeAll(async () => {
    product = await startApi('events_crash');
    bot = await newUser(product, { role: 'bot' });
    const made = await Promise.all([1, 2, 3].map(() => product.admin.post('/conversations', {})));
    conversations = made.map(({ body }) => body.id);
  });

  afterAll(() => product.close());

  test('survives the death of the worker at any moment, and posts once', async () => {
    await newEventType(
      product,
      'crash',
      `(
        $wait := $sum([1..200000]);
        $append($.conversations.{"conversation": $, "messages": [{"text": $$.key & $random()}, {"text": $$.key & "second"}]},
          {"organization": $$.organization, "contact": {"profile": {"email": $$.key & "@example.com"}}, "messages": [{"text": $$.key}]})
      )`,
    );
    const { organization } = product;
    const keys = ['k1-', 'k2-', 'k3-', 'k4-', 'k5-', 'k6-'];
    const sent = keys.map((key, at) =>
      // At other moments of an event's life each time.
      new Promise((resolve) => setTimeout(resolve, at * 40)).then(() =>
        bot
          .post('/events/crash', { key, conversations, organization }, { 'Idempotency-Key': key })
          .catch(() => undefined),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    await product.worker.kill();
    const worker = startNode('dist/worker/main.js', { env: product.environment });
    await Promise.all(sent);
    await eventually(
      async () => (await bot.get('/events?status=processed')).headers.get('x-total') === String(keys.length),
      { withinMs: 60_000, everyMs: 500 },
    );
    for (const conversation of conversations) {
      const { body } = await bot.get(`/messages?conversation=${conversation}&limit=1000`);
      const texts = body.map(({ text }: { text: string }) => text.slice(0, 3)).sort();
      expect(texts).toEqual(keys.flatMap((key) => [key, key]).sort());
    }
    const contacts = await product.admin.get('/contacts');
    expect(contacts.headers.get('x-total')).toBe(String(keys.length));
    for (const contact of contacts.body) {
      const posted = await bot.get(`/messages?conversation=${contact.conversation}`);
      expect(posted.headers.get('x-total')).toBe('1');
    }
    await worker.stop();
  }, 150_000);
});
