import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventType, setExpression } from '../support/event-types.ts';
import { SIGNED, newIngest, postAndWait } from '../support/senders.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz';
const SECRETS = ['authorization', 'cookie', 'x-hub-signature-256', 'x-event-token', 'idempotency-key'];

/** Spec 8.11. */
describe('$event', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('event_context');
    bot = await newUser(product, { role: 'bot' });
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });

  afterAll(() => product.close());

  /** An expression that posts `$event` as JSON. */
  const shows = () => `{"conversation": "${conversation}", "messages": [{"text": $string($event)}]}`;
  const textOf = async ({ messages }: { messages: string[] }) =>
    (await bot.get(`/messages/${messages[0]}`)).body.text as string;
  const shownBy = async (outcome: { messages: string[] }) =>
    JSON.parse(await textOf(outcome)) as Record<string, any>;

  test('an expression reads name, id, time, organization and allowed headers of its event, and no secret', async () => {
    await newEventType(product, 'context.shown', shows());
    const headers = {
      'X-GitHub-Event': 'issues',
      'X-Shopify-Topic': 'orders/create',
      'X-Hub-Signature-256': 'sha256=0',
      'X-Event-Token': 'secret',
      'Idempotency-Key': 'context-1',
      Cookie: 'a=b',
      'X-Other': 'other',
    };
    const answer = await bot.post('/events/context.shown', {}, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const event = await shownBy(answer.body);
    const record = (await bot.get(`/events/${answer.body.id}`)).body;
    expect(event).toMatchObject({
      id: answer.body.id,
      name: 'context.shown',
      time: record.createdAt,
      organization: product.organization,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'issues',
        'x-shopify-topic': 'orders/create',
      },
    });
    expect(Object.keys(event['headers']).filter((name) => SECRETS.includes(name))).toEqual([]);
    expect(event['headers']).not.toHaveProperty('x-other');
    expect(record.context).toEqual({ headers: event['headers'] });
    expect((await bot.get('/events?name=context.shown')).body[0]).not.toHaveProperty('context');
  });

  test('an expression distinguishes issues and pull requests at a signed ingest address by X-GitHub-Event', async () => {
    const expression = `{"conversation": "${conversation}", "messages": [{"text": $event.headers.\`x-github-event\` & " " & action}]}`;
    const type = await newEventType(product, 'context.github', expression);
    const { url } = await newIngest(product, type, { user: bot.user, secret: SECRET, signature: 'github' });
    const texts: string[] = [];
    for (const kind of ['issues', 'pull_request']) {
      const body = JSON.stringify({ action: 'opened', kind });
      const signed = SIGNED.github(SECRET, body);
      const answer = await postAndWait(bot, url, body, {
        ...signed,
        'X-GitHub-Event': kind,
        'X-GitHub-Delivery': kind,
      });
      texts.push(await textOf(answer.body));
    }
    expect(texts).toEqual(['issues opened', 'pull_request opened']);
  });

  const ATTRIBUTES = {
    specversion: '1.0',
    id: 'context-cloud',
    source: '/shop',
    type: 'context.cloud',
    subject: 'orders/é 17',
    time: '2026-03-14T09:26:53Z',
    tenantid: 'harbour',
  };

  test.each(['structured', 'binary'])(
    'an expression reads the attributes and extensions of a CloudEvent in %s form',
    async (form) => {
      const name = `context.cloud-${form}`;
      await newEventType(product, name, shows());
      const attributes = { ...ATTRIBUTES, id: `context-${form}` };
      const encoded = Object.entries(attributes).map(([key, value]) => [`ce-${key}`, encodeURI(value)]);
      const answer =
        form === 'binary'
          ? await bot.post(`/events/${name}`, { a: 1 }, Object.fromEntries(encoded) as Record<string, string>)
          : await bot.post(
              `/events/${name}`,
              { ...attributes, data: { a: 1 } },
              { 'Content-Type': 'application/cloudevents+json' },
            );
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((await shownBy(answer.body))['cloudEvent']).toEqual(attributes);
    },
  );

  test('attributes in unsigned headers of a binary CloudEvent are not read at a signed ingest address', async () => {
    const type = await newEventType(product, 'context.unsigned', shows());
    const { url } = await newIngest(product, type, { user: bot.user, secret: SECRET });
    const body = '{"a":1}';
    const headers = Object.fromEntries(
      Object.entries(ATTRIBUTES).map(([key, value]) => [`ce-${key}`, encodeURI(value)]),
    );
    const answer = await postAndWait(bot, url, body, {
      ...SIGNED['standard-webhooks'](SECRET, body),
      ...headers,
    });
    expect(answer.status).toBe(202);
    expect(await shownBy(answer.body)).not.toHaveProperty('cloudEvent');
  });

  test('a retried event has the same $event as its first run, and a repeated request does not change it', async () => {
    const type = await newEventType(product, 'context.retried', '$error($string($event))');
    const sent = { 'Idempotency-Key': 'context-retried', 'X-Shop-Event': 'first' };
    const failed = await bot.post('/events/context.retried', {}, sent);
    expect(failed.status).toBe(422);
    const first = JSON.parse(failed.body.message.replace(/^expression: (.*) \([^)]*\)$/, '$1')) as {
      id: string;
    };
    await bot.post('/events/context.retried', {}, { ...sent, 'X-Shop-Event': 'second' });
    await setExpression(product, type, shows());
    const retried = await bot.post(`/events/${first.id}/retry`, {});
    expect(retried.body.status).toBe('processed');
    expect(await shownBy(retried.body)).toEqual(first);
    expect(first).toMatchObject({ headers: { 'x-shop-event': 'first' } });
  });

  test('an event that came before its event type has its headers when it is run', async () => {
    const early = await bot.post('/events/context.early', {}, { 'X-Shop-Topic': 'orders' });
    expect(early.status).toBe(404);
    await newEventType(product, 'context.early', shows());
    const id = early.headers.get('location')?.split('/').at(-1) ?? '';
    const retried = await bot.post(`/events/${id}/retry`, {});
    expect(await shownBy(retried.body)).toMatchObject({ id, headers: { 'x-shop-topic': 'orders' } });
  });

  test('an upsert of an expression without organization is made in the organization of the sender', async () => {
    const below = (await product.admin.post('/organizations', { name: 'context below' })).body.id as string;
    const sender = await newUser(product, { role: 'bot', organization: below });
    const upsert = '"contact": {"profile": {"email": email}}, "messages": [{"text": $event.organization}]';
    await newEventType(product, 'context.upsert', `{${upsert}}`);
    const answer = await sender.post('/events/context.upsert', { email: 'ada@context.example' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { body } = await product.admin.get(`/conversations/${answer.body.conversations[0]}`);
    expect([body.organization, await textOf(answer.body)]).toEqual([below, below]);
  });

  test('a preview shows $event, with the headers of its request or of the example', async () => {
    const type = await newEventType(product, 'context.preview', shows());
    const sent = await product.admin.post(`/eventtypes/${type}/preview`, {}, { 'X-GitHub-Event': 'issues' });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    expect(sent.body.event).toMatchObject({
      name: 'context.preview',
      organization: product.organization,
      headers: { 'x-github-event': 'issues' },
    });
    expect(JSON.parse(sent.body.results[0].messages[0].text)).toEqual(sent.body.event);
    const headers = { 'X-GitHub-Event': 'push', Authorization: 'Bearer x' };
    const draft = await product.admin.post('/eventtypes/preview', {
      jsonata: shows(),
      body: {},
      event: { name: 'context.draft', headers, cloudEvent: { subject: 's', priority: 3 } },
    });
    expect(draft.status, JSON.stringify(draft.body)).toBe(200);
    expect(draft.body.event).toMatchObject({
      name: 'context.draft',
      headers: { 'x-github-event': 'push' },
      cloudEvent: { subject: 's', priority: 3 },
    });
    expect(draft.body.event.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(draft.body.results[0].messages[0].text)).toEqual(draft.body.event);
  });

  test('two orders whose ids differ above 2^53 post two messages, with all digits', async () => {
    const expression = `{"conversation": "${conversation}", "messages": [{"text": "order " & id, "externalId": "order-" & id, "meta": {"order": id}}]}`;
    const type = await newEventType(product, 'context.order', expression);
    const texts: string[] = [];
    for (const digits of ['820982911946154508', '820982911946154510']) {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await bot.request('POST', '/events/context.order', `{"id":${digits}}`, headers);
      const { text, meta, externalId } = (await bot.get(`/messages/${answer.body.messages[0]}`)).body;
      texts.push(text);
      expect([meta, externalId]).toEqual([{ order: digits }, `order-${digits}`]);
    }
    expect(texts).toEqual(['order 820982911946154508', 'order 820982911946154510']);
    await setExpression(product, type, expression.replace('& id', '& $number(id)'));
    const refused = await bot.post('/events/context.order', { id: '820982911946154508' });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringMatching(/would lose digits: keep it as a text.*in \$number, line 1/),
    ]);
  });
});
