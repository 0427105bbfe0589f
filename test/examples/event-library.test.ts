import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newEventType } from '../support/event-types.ts';
import type { Product } from '../support/product.ts';
import { SIGNED, newIngest, postAndWait, postTo } from '../support/senders.ts';
import type { SenderKind } from '../support/senders.ts';

const FOLDER = 'examples/events';
const SECRET = 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz';

/**
 * The kind of sender of each example's event. A bot with a token sends the events of unlisted
 * examples.
 */
const SENDERS: Record<string, SenderKind | 'form' | 'cloud event'> = {
  'github-issue': 'github',
  'stripe-invoice': 'stripe',
  'shopify-order': 'shopify',
  'ticket-closed': 'standard-webhooks',
  'form-submitted': 'form',
  'alert-fired': 'cloud event',
};

/** Headers with which the sender names its event. */
const HEADERS: Record<string, Record<string, string>> = {
  'github-issue': { 'X-GitHub-Event': 'issues' },
  'shopify-order': { 'X-Shopify-Topic': 'orders/create' },
};

const names = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const textOf = (name: string, file: string) => readFileSync(`${FOLDER}/${name}/${file}`, 'utf8').trim();

describe('the library of event expressions', () => {
  let product: Product;
  let bot: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('event_library');
    bot = await newUser(product, { role: 'bot' });
  });

  afterAll(() => product.close());

  test('the library of event expressions has ten listed events', () => {
    expect(names).toEqual([
      ...['alert-fired', 'appointment-booked', 'car-ready', 'form-submitted', 'github-issue'],
      ...['order-placed', 'payment-failed', 'shopify-order', 'stripe-invoice', 'ticket-closed'],
    ]);
    const listed = [...textOf('.', 'README.md').matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)];
    expect(listed.map(([, name]) => name).sort()).toEqual(names);
  });

  async function send(name: string, eventtype: string) {
    const kind = SENDERS[name];
    if (kind === undefined) return bot.post(`/events/${nameOf(name)}`, textOf(name, 'body.json'));
    if (kind === 'cloud event') {
      const data = JSON.parse(textOf(name, 'body.json')) as unknown;
      const event = { specversion: '1.0', id: 'alert-1', source: '/monitoring', type: nameOf(name), data };
      return bot.post('/events', event, { 'Content-Type': 'application/cloudevents+json' });
    }
    if (kind === 'form') {
      const { url } = await newIngest(product, eventtype, { user: bot.user });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return postAndWait(bot, url, textOf(name, 'body.form'), headers);
    }
    const address = { user: bot.user, secret: SECRET, signature: kind };
    const { url } = await newIngest(product, eventtype, address);
    const body = textOf(name, 'body.json');
    expect((await postTo(url, body)).status).toBe(401);
    return postAndWait(bot, url, body, { ...SIGNED[kind](SECRET, body), ...HEADERS[name] });
  }

  test.each(names)(
    'an expression of the library posts the documented messages for its example event: %s',
    async (name) => {
      if (existsSync(`${FOLDER}/${name}/conversation.json`)) {
        const made = await product.admin.post('/conversations', textOf(name, 'conversation.json'));
        expect(made.status).toBe(201);
      }
      const eventtype = await newEventType(product, nameOf(name), textOf(name, 'expression.jsonata'));
      const answer = await send(name, eventtype);
      const status = [undefined, 'cloud event'].includes(SENDERS[name]) ? 200 : 202;
      expect([answer.status, answer.body.status], JSON.stringify(answer.body)).toEqual([status, 'processed']);
      const ids = answer.body.messages as string[];
      const posted = await Promise.all(
        ids.map(async (id) => (await product.admin.get(`/messages/${id}`)).body),
      );
      const expected = JSON.parse(textOf(name, 'messages.json')) as unknown[];
      expect(posted).toMatchObject(expected);
      expect(posted).toHaveLength(expected.length);
    },
  );

  const invoice = (fields: object) => ({ data: { object: fields } });
  const anonymous = { customer: null, customer_name: null, number: null, hosted_invoice_url: null };

  test.each<[name: string, change: object, texts: string[]]>([
    ['stripe-invoice', invoice(anonymous), ['Invoice of €49.00 could not be paid.']],
    ['stripe-invoice', invoice({ customer_email: null }), []],
    ...(
      [
        ['jpy', 4900, '¥4,900'],
        ['krw', 50_000, '₩50,000'],
        ['kwd', 4900, 'KWD 4.900'],
        ['vuv', 4900, 'VUV 4,900'],
        ['usd', 4900, '$49.00'],
      ] as const
    ).map(([currency, amount_due, text]): [string, object, string[]] => [
      'stripe-invoice',
      invoice({ currency, amount_due, customer: null }),
      [`Invoice F0A1-0007 of ${text} could not be paid.`],
    ]),
    [
      'payment-failed',
      { amount: { value: 4900, currency: 'JPY' } },
      [
        'Payment P-77 of order A-1042 failed: card_declined',
        'The payment of ¥4,900 did not go through: your bank has declined it.',
      ],
    ],
    [
      'shopify-order',
      { email: '', phone: '+31612345678', customer: null },
      [
        '/set order #9999',
        'Hello, we have your order #9999 with IPod Nano - 8GB and IPod Nano - 16GB, 398.00 USD in all.',
      ],
    ],
    ['shopify-order', { email: null, phone: null }, []],
    [
      'payment-failed',
      { order: null, reason: null, retryUrl: null },
      ['Payment P-77 failed', 'The payment of €74.50 did not go through: something went wrong.'],
    ],
    [
      'ticket-closed',
      { ticket: { subject: null, solution: null, closedBy: null } },
      ['Your ticket 4711 is closed. Did that help?', 'Ticket 4711 closed', '/set status closed'],
    ],
    [
      'appointment-booked',
      { location: null, visitor: { lastName: null } },
      ['/set appointment AP-9', 'Your appointment: Annual check on Monday, 4 May 2026, 10:30.'],
    ],
    [
      'appointment-booked',
      { service: null, startsAt: null },
      ['/set appointment AP-9', 'Your appointment at Harbour Motors.'],
    ],
    ['appointment-booked', { visitor: { mobile: null } }, []],
    ['ticket-closed', { requester: { email: null } }, []],
    ['order-placed', { customer: { email: null } }, []],
    [
      'order-placed',
      { customer: { name: null, locale: null }, lines: null, total: null },
      ['/set order A-1042', 'Thank you for your order A-1042.'],
    ],
    ['payment-failed', { payer: { email: '' } }, []],
    [
      'payment-failed',
      { amount: null },
      [
        'Payment P-77 of order A-1042 failed: card_declined',
        'The payment did not go through: your bank has declined it.',
      ],
    ],
    ['car-ready', { plate: null, invoice: null, closesAt: null }, ['/set car ready', 'Your car is ready.']],
    [
      'github-issue',
      { sender: null, issue: { body: null, user: null, labels: null } },
      ['Somebody opened #1347: Teapot drips'],
    ],
    ['github-issue', { issue: { labels: [{ name: null }] } }, ['octocat opened #1347: Teapot drips']],
    [
      'alert-fired',
      { alerts: [{ status: 'firing', labels: { alertname: null }, annotations: null }] },
      ['FIRING an alert', '/set category Incident'],
    ],
    ['alert-fired', { alerts: null }, ['/set category Incident']],
  ])(
    'an expression of the library takes the nulls and currencies that its sender documents: %s %j',
    async (name, change, texts) => {
      const type = (await product.admin.get(`/eventtypes?name=${nameOf(name)}`)).body[0].id as string;
      const body = merge(JSON.parse(textOf(name, 'body.json')), change);
      const preview = await product.admin.post(`/eventtypes/${type}/preview`, body, HEADERS[name]);
      expect(preview.body.status, JSON.stringify(preview.body)).toBe(
        texts.length > 0 ? 'processed' : 'ignored',
      );
      const results = preview.body.results as { messages: { text: string }[] }[];
      const posted = results.flatMap(({ messages }) => messages.map(({ text }) => text));
      expect(posted.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(texts);
    },
  );

  test.each([
    [{ email: 'a@b.example', name: '', message: '' }, []],
    [{ email: 'a@b.example', name: '', interest: '', message: 'Hello' }, ['Hello']],
    [{ email: 'a@b.example', name: 'A', interest: ['', 'cups'], message: '' }, ['.interests cups']],
  ])('the expression for forms takes fields that were left empty: %j', async (form, texts) => {
    const type = (await product.admin.get('/eventtypes?name=form.submitted')).body[0].id as string;
    const { body } = await product.admin.post(`/eventtypes/${type}/preview`, form);
    expect(body.status, JSON.stringify(body)).toBe(texts.length > 0 ? 'processed' : 'ignored');
    const results = body.results as { messages: { text: string }[] }[];
    expect(results.flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(texts);
    const anonymous = await product.admin.post(`/eventtypes/${type}/preview`, { ...form, email: '' });
    expect(anonymous.body.status).toBe('ignored');
  });

  test.each(['car-ready', 'github-issue', 'alert-fired'])(
    'an expression of the library ignores an event for which no conversation exists: %s',
    async (name) => {
      const type = (await product.admin.get(`/eventtypes?name=${nameOf(name)}`)).body[0].id as string;
      const body = textOf(name, 'body.json').replace(/J-88|octo-org\/teapots|checkout/g, 'unknown');
      const preview = await product.admin.post(`/eventtypes/${type}/preview`, body, HEADERS[name]);
      expect(preview.body).toMatchObject({ status: 'ignored', results: [] });
    },
  );
});

/** Merges objects, also nested ones. */
function merge(body: any, change: any): any {
  if (Array.isArray(change)) return change;
  const entries = Object.entries(change).map(([key, value]) => [
    key,
    value !== null && typeof value === 'object' ? merge(body[key], value) : value,
  ]);
  return { ...body, ...Object.fromEntries(entries) };
}

function nameOf(folder: string): string {
  return folder.replace('-', '.');
}
