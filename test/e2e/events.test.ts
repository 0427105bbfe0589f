import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { setExpression, newEventType } from '../support/event-types.ts';
import type { Product } from '../support/product.ts';

/** Spec 8: business events, their records and their retries. */
describe('business events', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('business_events');
    bot = await newUser(product, { role: 'bot' });
    const created = await product.admin.post('/conversations', { name: 'order', meta: { orderId: 'A-1' } });
    conversation = created.body.id;
  });

  afterAll(() => product.close());

  test('a business event posts the result of its event type and is stored as a record', async () => {
    await newEventType(
      product,
      'order.paid',
      '{"conversation": conversation, "messages": [{"type": "status", "text": "Paid " & amount}]}',
    );
    const answer = await bot.post('/events/order.paid', { conversation, amount: 12 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({ status: 'processed', conversations: [conversation] });
    const message = await product.admin.get(`/messages/${answer.body.messages[0]}`);
    expect(message.body).toMatchObject({ text: 'Paid 12', type: 'status', user: bot.user, conversation });
    const record = await bot.get(`/events/${answer.body.id}`);
    expect(record.body).toMatchObject({
      ...answer.body,
      name: 'order.paid',
      organization: product.organization,
      body: { conversation, amount: 12 },
      createdBy: bot.user,
    });
    const list = await bot.get('/events?name=order.paid&status=processed');
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([answer.body.id]);
  });

  test('business events create contacts by upserts, and later events find the same contacts', async () => {
    await newEventType(
      product,
      'lead.created',
      '$.leads.{"organization": $$.organization, "type": "contact", "contact": {"profile": {"email": email}}, "messages": {"text": "Hello " & email, "role": "agent"}}',
    );
    const { organization } = product;
    const leads = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }];
    const both = await bot.post('/events/lead.created', { organization, leads });
    expect(both.status, JSON.stringify(both.body)).toBe(200);
    expect(both.body.conversations).toHaveLength(2);
    expect(both.body.messages).toHaveLength(2);
    const again = await bot.post('/events/lead.created', { organization, leads: leads.slice(0, 1) });
    expect(again.body.conversations).toEqual(both.body.conversations.slice(0, 1));
  });

  test.each([
    ['nothing', 'type = "none" ? undefined'],
    ['an empty list of messages', '{"conversation": "ffffffffffffffffffffffff", "messages": []}'],
  ])('business events are ignored when the expression returns %s', async (what, expression) => {
    const name = `noise.${what.replaceAll(' ', '-')}`;
    await newEventType(product, name, expression);
    const answer = await bot.post(`/events/${name}`, { type: 'other' });
    expect(answer.body).toMatchObject({ status: 'ignored', conversations: [], messages: [] });
  });

  const refused: [string, unknown, RegExp][] = [
    ['an evaluation error', '$error("no such thing")', /no such thing/],
    ['a result that is not an object', '"text"', /result: must be an object/],
    [
      'neither conversation nor contact',
      '{"messages": [{"text": "x"}]}',
      /result\.conversation|result: conversation/,
    ],
    [
      'an unknown conversation',
      '{"conversation": "ffffffffffffffffffffffff", "messages": [{"text": "x"}]}',
      /does not exist/,
    ],
    [
      'a field of the wrong type',
      '{"conversation": conversation, "messages": [{"text": 7}]}',
      /result\.messages\.0\.text|messages\.0\.text/,
    ],
    [
      'a malformed command',
      '{"conversation": conversation, "messages": [{"type":"command","text": "/set status nonsense"}]}',
      /status/,
    ],
    ['an upsert without email', '{"contact": {"profile": {}}, "messages": [{"text": "x"}]}', /email/],
  ];

  test.each(refused)(
    'business events with %s return 422 and record the reason',
    async (what, expression, reason) => {
      const name = `refused.${what.replaceAll(' ', '-')}`;
      await newEventType(product, name, expression as string);
      const answer = await bot.post(`/events/${name}`, { conversation });
      expect(answer.status, JSON.stringify(answer.body)).toBe(422);
      expect(answer.body.message).toMatch(reason);
      const record = await bot.get(new URL(answer.headers.get('location')!).pathname.replace('/v2', ''));
      expect(record.body).toMatchObject({
        status: 'failed',
        messages: [],
        error: { message: answer.body.message },
      });
    },
  );

  test('business events post nothing if one of several parts of their result is invalid', async () => {
    await newEventType(
      product,
      'half.bad',
      `[{"conversation": conversation, "messages": [{"text": "good"}]},
        {"conversation": conversation, "messages": [{"text": "also good"}, {"type": "command", "text": "/set status nonsense"}]}]`,
    );
    const before = await product.admin.get(`/messages?conversation=${conversation}`);
    const answer = await bot.post('/events/half.bad', { conversation });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toMatch(/^result\.1/);
    const after = await product.admin.get(`/messages?conversation=${conversation}`);
    expect(after.headers.get('x-total')).toBe(before.headers.get('x-total'));
  });

  test('business events post nothing if their messages make more than 10,000 deliveries', async () => {
    const organization = (await product.admin.post('/organizations', { name: 'with five webhooks' })).body.id;
    for (let n = 0; n < 5; n += 1) {
      const params = { url: 'http://192.0.2.1/', events: ['message.create'] };
      await product.admin.post('/services', { name: `receiver ${n}`, type: 'webhook', organization, params });
    }
    const crowded = (await product.admin.post('/conversations', { organization })).body.id;
    await newEventType(
      product,
      'too.many',
      '[1..parts].{"conversation": $$.conversation, "messages": [1..100].{"text": "x"}}',
    );
    const refused = await bot.post('/events/too.many', { conversation: crowded, parts: 21 });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringMatching(/^result: .* 10500$/),
    ]);
    expect((await bot.get(`/messages?conversation=${crowded}`)).headers.get('x-total')).toBe('0');
    expect((await bot.post('/events/too.many', { conversation, parts: 2 })).status).toBe(200);
  });

  test('a business event whose result has two parts for one conversation posts both parts in order', async () => {
    await newEventType(
      product,
      'two.parts',
      `[{"conversation": conversation, "messages": [{"text": "first"}]},
        {"conversation": conversation, "messages": [{"text": "second"}]}]`,
    );
    const { body } = await bot.post('/events/two.parts', { conversation });
    expect(body.conversations).toEqual([conversation]);
    const texts = await Promise.all(
      body.messages.map(async (id: string) => (await bot.get(`/messages/${id}`)).body),
    );
    expect(texts.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(texts[1].sequence - texts[0].sequence).toBe(1);
  });

  test('a business event can be retried after its expression is fixed, and never posts twice', async () => {
    const type = await newEventType(product, 'mended', '{"conversation": conversation, "messages": 7}');
    const failed = await bot.post('/events/mended', { conversation });
    expect(failed.status).toBe(422);
    const id = failed.headers.get('location')!.split('/').at(-1)!;
    await setExpression(product, type, '{"conversation": conversation, "messages": [{"text": "mended"}]}');
    const retried = await bot.post(`/events/${id}/retry`);
    expect(retried.body).toMatchObject({ id, status: 'processed' });
    expect((await bot.get(`/events/${id}`)).body).not.toHaveProperty('error');
    const twice = await bot.post(`/events/${id}/retry`);
    expect(twice.body).toEqual(retried.body);
    const found = await bot.get(`/messages?conversation=${conversation}&text=mended`);
    expect(found.body).toHaveLength(1);
  });

  test('business events with the same Idempotency-Key run once', async () => {
    const body = { conversation, amount: 99 };
    const key = { 'Idempotency-Key': 'event-1' };
    const first = await bot.post('/events/order.paid', body, key);
    const second = await bot.post('/events/order.paid', body, key);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await bot.post('/events/order.paid', { conversation }, key)).status).toBe(422);
  });

  test('a business event uses the nearest event type, from its own organization or a parent organization', async () => {
    const child = (await product.admin.post('/organizations', { name: 'Child' })).body.id;
    const childBot = await newUser(product, { role: 'bot', organization: child });
    const target = (await product.admin.post('/conversations', { organization: child })).body.id;
    await newEventType(
      product,
      'inherited',
      '{"conversation": conversation, "messages": [{"text": "of the parent"}]}',
    );
    const inherited = await childBot.post('/events/inherited', { conversation: target });
    expect(inherited.status, JSON.stringify(inherited.body)).toBe(200);
    await newEventType(
      product,
      'inherited',
      '{"conversation": conversation, "messages": [{"text": "own"}]}',
      child,
    );
    const own = await childBot.post('/events/inherited', { conversation: target });
    const texts = await bot.get(`/messages?conversation=${target}&sort=sequence`);
    expect(texts.body.map(({ text }: { text: string }) => text)).toEqual(['of the parent', 'own']);
    expect((await childBot.get(`/events/${own.body.id}`)).status).toBe(200);
  });

  test('business events are refused if the event type or the event does not exist, the caller lacks permission, or the body or query is invalid', async () => {
    const agent = await newUser(product, { role: 'agent' });
    expect((await bot.post('/events/unknown.name', {})).status).toBe(404);
    expect((await agent.post('/events/order.paid', {})).status).toBe(403);
    expect((await agent.get('/events')).status).toBe(403);
    expect((await bot.get('/events/ffffffffffffffffffffffff')).status).toBe(404);
    expect((await bot.post('/events/ffffffffffffffffffffffff/retry')).status).toBe(404);
    expect((await bot.post('/events/order.paid', '{"a":')).status).toBe(400);
    expect((await bot.get('/events?body=x')).status).toBe(400);
  });

  test('a business event may have any JSON body, which the API returns unchanged with the event and omits from lists', async () => {
    await newEventType(product, 'any', 'undefined');
    for (const body of [
      null,
      7,
      'text',
      [],
      [1, [2]],
      { $set: 1, 'a.b': 2, constructor: 3, nested: { __v: null } },
    ]) {
      const answer = await bot.post('/events/any', JSON.stringify(body));
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((await bot.get(`/events/${answer.body.id}`)).body.body).toEqual(body);
    }
    const large = { text: 'x'.repeat(900_000) };
    const answer = await bot.post('/events/any', large);
    expect((await bot.get(`/events/${answer.body.id}`)).body.body).toEqual(large);
    const [listed] = (await bot.get(`/events?id=${answer.body.id}`)).body;
    expect(listed).not.toHaveProperty('body');
  });
});
