import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inLanguage, snippetsOf } from '../guides/snippets.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Example {
  title: string;
  name: string;
  event: string;
  expression: string;
  posts: unknown[];
}

const EXAMPLE =
  /^## Example: (.*?)$.*?^```json event (\S+)\n(.*?)^```.*?^```jsonata\n(.*?)^```.*?^```json posts\n(.*?)^```/gms;

const GUIDE = readFileSync('docs/events.md', 'utf8');

/** The examples of docs/events.md. */
const examples: Example[] = [...GUIDE.matchAll(EXAMPLE)].map(
  ([, title = '', name = '', event = '', expression = '', posts = '']) => ({
    title,
    name,
    event,
    expression,
    posts: JSON.parse(posts) as unknown[],
  }),
);

describe('the guide to business events', () => {
  let product: Product;
  let bot: KeyHolder;
  let dealer: string;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('events_guide');
    const { admin } = product;
    bot = await newUser(product, { role: 'bot' });
    dealer = (await admin.post('/organizations', { name: 'Harbour Motors' })).body.id;
    const form = (
      await admin.post('/forms', { name: 'Test drive', organization: dealer, type: 'topic', fields: [] })
    ).body.id;
    await admin.request('PATCH', `/organizations/${dealer}`, {
      categories: [{ name: 'Sales', forms: [form] }],
    });
    const created = await admin.post('/conversations', {
      organization: dealer,
      category: 'Sales',
      categoryIndex: 0,
      meta: { leadId: 'L-2041', orderId: 'A-1815' },
    });
    conversation = created.body.id;
    const opened = await admin.post('/messages', { conversation, type: 'form', text: '+Test drive' });
    expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  });

  afterAll(() => product.close());

  test('the guide to business events has four examples', () => expect(examples).toHaveLength(4));

  test.each(examples)(
    'the guide to business events has a working example: $title',
    async ({ name, event, expression, posts }) => {
      const type = await newEventType(product, name, expression);
      const body = event.replace('$id', conversation);
      const preview = await product.admin.post(`/eventtypes/${type}/preview`, body);
      expect(preview.status, JSON.stringify(preview.body)).toBe(200);
      expect(preview.body.results[0].messages).toMatchObject(posts);
      const answer = await bot.post(`/events/${name}`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const posted = await Promise.all(
        answer.body.messages.map(async (id: string) => (await product.admin.get(`/messages/${id}`)).body),
      );
      expect(posted).toMatchObject(posts);
    },
  );

  test('the examples in the guide to business events leave the conversation as described, with the form completed and the status set', async () => {
    const { body } = await product.admin.get(`/conversations/${conversation}`);
    expect(body.forms).toEqual([]);
    expect(body.results).toMatchObject([{ name: 'Test drive' }]);
    expect(body.meta).toMatchObject({ orderStatus: 'shipped' });
  });

  test('the expression for delayed deliveries in the guide to business events ignores an order without a conversation', async () => {
    expect((await bot.post('/events/delivery.delayed', { orderId: 'unknown', days: 1 })).body).toMatchObject({
      status: 'ignored',
    });
  });

  test('the guide to business events has curl commands that work when pasted in order', async () => {
    const commands = inLanguage(snippetsOf('events'), 'curl').filter(
      ({ language, info }) => info === 'run' && ['http', 'sh'].includes(language),
    );
    const session = commands.map(({ code }) => code).join('\n');
    const folder = await temporaryFolder('parlance-events-guide-');
    const env = { ...process.env, PARLANCE_API_KEY: product.token };
    onTestFinished(() => folder.remove());
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', session.replaceAll('http://localhost:3000', product.origin)],
      { env, cwd: folder.path },
    );
    expect(stdout.trim().split('\n')).toEqual([
      ...['processed', 'processed', 'processed', 'processed', 'processed'],
      ...['unauthenticated', '0', '404 not_found', 'order.returned', '1'],
    ]);
    await eventually(async () => {
      const { body } = await product.admin.get('/events?name=order.returned');
      return body[0].status === 'processed';
    });
    const posted = await product.admin.get('/messages?type=chat&text=~^(Order )?A.1|A.20');
    const texts = posted.body.map(({ text }: { text: string }) => text).sort();
    expect(texts.filter((text: string) => /on its way|is back/.test(text))).toEqual([
      ...['A-17 is back.', 'Order A 18 is on its way.', 'Order A-17 is on its way.'],
      ...['Order A-19 is on its way.', 'Order A-20 is on its way.'],
    ]);
  });

  test('an invalid expression is refused with the position and the reason', async () => {
    const type = await product.admin.post('/eventtypes', { name: 'unreadable' });
    const answer = await product.admin.request('PUT', `/eventtypes/${type.body.id}/jsonata`, '{"a": ', {
      'Content-Type': 'text/plain',
    });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toMatch(/end of expression.*character 6/);
    const whole = await product.admin.post('/eventtypes', { name: 'unreadable.too', jsonata: '$x := ' });
    expect(whole.status).toBe(422);
    expect(
      (await bot.request('PUT', `/eventtypes/${type.body.id}/jsonata`, '1', { 'Content-Type': 'text/plain' }))
        .status,
    ).toBe(403);
  });
});
