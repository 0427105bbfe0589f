import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { SIGNATURE_KINDS } from '../../domain/events/business-event.ts';
import { newEventType } from '../support/event-types.ts';
import { SIGNED, newIngest, postAndWait, postTo } from '../support/senders.ts';
import type { Product } from '../support/product.ts';

const STRUCTURED = { 'Content-Type': 'application/cloudevents+json; charset=utf-8' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const EXPRESSION = '{"conversation": conversation, "messages": [{"text": text}]}';

/** Spec 8.7 to 8.9. */
describe('business events in other formats than JSON', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('event_forms');
    bot = await newUser(product, { role: 'bot' });
    conversation = (await product.admin.post('/conversations', {})).body.id;
    await newEventType(product, 'said', EXPRESSION);
    await newEventType(product, 'com.example.said', EXPRESSION);
  });

  afterAll(() => product.close());

  const cloudEvent = (more: object = {}) => ({
    specversion: '1.0',
    id: 'event-1',
    source: '/shop',
    type: 'com.example.said',
    data: { conversation, text: 'hello' },
    ...more,
  });
  const binary = (more: Record<string, string> = {}) => ({
    'ce-specversion': '1.0',
    'ce-id': 'event-1',
    'ce-source': '/shop',
    'ce-type': 'com.example.said',
    ...more,
  });
  const textsOf = async () =>
    (await product.admin.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000`)).body.map(
      ({ text }: { text: string }) => text,
    ) as string[];

  test('a business event takes type and body from a structured CloudEvent', async () => {
    const sent = cloudEvent({ id: 'structured', data: { conversation, text: 'structured' } });
    const answer = await bot.post('/events', sent, STRUCTURED);
    expect([answer.status, answer.body.status], JSON.stringify(answer.body)).toEqual([200, 'processed']);
    const record = await bot.get(`/events/${answer.body.id}`);
    expect(record.body).toMatchObject({ name: 'com.example.said', body: sent.data });
    expect((await bot.get(`/messages/${answer.body.messages[0]}`)).body.text).toBe('structured');
  });

  test('a business event takes type and body from a binary CloudEvent', async () => {
    const headers = binary({
      'ce-id': 'binary',
      'ce-source': '/caf%C3%A9',
      'ce-time': '2026-05-04T10:30:00Z',
    });
    const answer = await bot.post('/events', { conversation, text: 'binary' }, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((await bot.get(`/messages/${answer.body.messages[0]}`)).body.text).toBe('binary');
  });

  test('business events keep ids of 18 digits distinct', async () => {
    const expression =
      '{"conversation": conversation, "messages": [{"text": "long " & id, "externalId": "order-" & id}]}';
    await newEventType(product, 'order.long', expression);
    for (const id of ['820982911946154508', '820982911946154510']) {
      const body = `{"conversation":"${conversation}","id":${id}}`;
      const answer = await bot.request('POST', '/events/order.long', body, {
        'Content-Type': 'application/json',
      });
      expect(answer.body.status, JSON.stringify(answer.body)).toBe('processed');
      expect(await textsOf()).toContain(`long ${id}`);
    }
  });

  test('a business event takes its name from the path rather than from the type of the CloudEvent', async () => {
    const sent = cloudEvent({ id: 'path', type: 'anything/else', data: { conversation, text: 'path' } });
    const answer = await bot.post('/events/said', sent, STRUCTURED);
    expect((await bot.get(`/events/${answer.body.id}`)).body).toMatchObject({
      name: 'said',
      status: 'processed',
    });
  });

  test('a business event has the decoded base64 data of its CloudEvent as the body, or null if the CloudEvent has no data', async () => {
    const data_base64 = Buffer.from(JSON.stringify({ conversation, text: 'encoded' })).toString('base64');
    const encoded = cloudEvent({ id: 'base64', data: undefined, data_base64 });
    const answer = await bot.post('/events', encoded, STRUCTURED);
    expect((await bot.get(`/messages/${answer.body.messages[0]}`)).body.text).toBe('encoded');
    const empty = await bot.post('/events', cloudEvent({ id: 'empty', data: undefined }), STRUCTURED);
    const at = empty.headers.get('location')!.split('/').at(-1)!;
    expect((await bot.get(`/events/${at}`)).body).toMatchObject({ status: 'failed', body: null });
  });

  test('a business event has id and source of its CloudEvent as the idempotency key, in structured and binary mode', async () => {
    const data = { conversation, text: 'once' };
    const first = await bot.post('/events', cloudEvent({ id: 'once', data }), STRUCTURED);
    const again = await bot.post(
      '/events',
      cloudEvent({ id: 'once', data, time: '2026-05-04T10:30:00Z' }),
      STRUCTURED,
    );
    const asBinary = await bot.post('/events', data, binary({ 'ce-id': 'once' }));
    for (const repeated of [again, asBinary]) {
      expect(repeated.body).toEqual(first.body);
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    }
    const other = await bot.post(
      '/events',
      cloudEvent({ id: 'once', data: { ...data, text: 'other' } }),
      STRUCTURED,
    );
    expect([other.status, other.body]).toEqual([200, first.body]);
    const elsewhere = await bot.post(
      '/events',
      cloudEvent({ id: 'once', source: '/other', data }),
      STRUCTURED,
    );
    expect(elsewhere.body.id).not.toBe(first.body.id);
    expect((await textsOf()).filter((text) => text === 'once')).toHaveLength(2);
  });

  test('a form-encoded business event is parsed into a flat object, with a list for a repeated field', async () => {
    const form = `conversation=${conversation}&text=caf%C3%A9+%26+tea&tag=a&tag=b&empty=&bare`;
    const answer = await bot.post('/events/said', form, FORM);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((await bot.get(`/events/${answer.body.id}`)).body.body).toEqual({
      conversation,
      text: 'café & tea',
      tag: ['a', 'b'],
      empty: '',
      bare: '',
    });
  });

  const sent = (more: object = {}) => JSON.stringify(cloudEvent(more));
  // oxfmt-ignore
  const refused: [string, [path: string, body: () => string, headers: object], [number, RegExp]][] = [
    ['without an id', ['/events', () => sent({ id: undefined }), STRUCTURED], [400, /^id: is required/]],
    ['with an empty source', ['/events', () => sent({ source: ' ' }), STRUCTURED], [400, /^source:/]],
    ['with a type that is a number', ['/events', () => sent({ type: 7 }), STRUCTURED], [400, /^type:/]],
    ['of another version', ['/events', () => sent({ specversion: '0.3' }), STRUCTURED], [400, /^specversion: must be "1.0"/]],
    ['with an invalid time', ['/events', () => sent({ time: 'soon' }), STRUCTURED], [400, /^time:/]],
    [
      'with a time that does not exist',
      ['/events', () => sent({ time: '2026-02-30T10:00:00Z' }), STRUCTURED],
      [400, /^time:/],
    ],
    ['that is a list', ['/events', () => '[]', STRUCTURED], [400, /one CloudEvent/]],
    ['that is not JSON', ['/events', () => '{', STRUCTURED], [400, /not valid JSON/]],
    ['with data twice', ['/events', () => sent({ data_base64: 'e30=' }), STRUCTURED], [400, /^data_base64/]],
    ['with invalid base64', ['/events', () => sent({ data: undefined, data_base64: '*' }), STRUCTURED], [400, /^data_base64/]],
    ['of a type that no event type can have', ['/events', () => sent({ type: 'a b' }), STRUCTURED], [400, /^type: must be words/]],
    ['with a key __proto__', ['/events', () => sent().replace('"text"', '"__proto__"'), STRUCTURED], [400, /__proto__/]],
    ['nested too deep', ['/events', () => `{"data":${'['.repeat(101)}${']'.repeat(101)}}`, STRUCTURED], [400, /nest deeper/]],
    ['in a batch', ['/events', () => '[]', { 'Content-Type': 'application/cloudevents-batch+json' }], [415, /not a batch/]],
    ['with half of the headers', ['/events', () => '{}', { 'ce-id': '1' }], [400, /^ce-specversion/]],
    ['with a badly encoded header', ['/events', () => '{}', { 'ce-specversion': '1.0', 'ce-id': '%zz' }], [400, /^ce-id: is not well/]],
    ['without a name', ['/events', () => '{}', {}], [400, /^type: send a CloudEvent/]],
    ['without a name, as a form', ['/events', () => 'a=1', FORM], [400, /^type: send a CloudEvent/]],
    ['with an invalid name', ['/events/a%20b', () => '{}', {}], [400, /^name: must be words/]],
    ['as a form with the key __proto__', ['/events/said', () => '__proto__=1', FORM], [400, /__proto__/]],
    ['as a form with the key constructor', ['/events/said', () => 'a=1&constructor=1', FORM], [400, /constructor/]],
    ['as a badly encoded form', ['/events/said', () => 'a=%E9', FORM], [400, /not well-formed/]],
    ['as a form with NUL', ['/events/said', () => 'a=%00', FORM], [400, /NUL/]],
    ['as a form with too many fields', ['/events/said', () => 'a&'.repeat(40_001), FORM], [400, /40,000 values/]],
    ['as a form of too many bytes', ['/events/said', () => `a=${'x'.repeat(1024 * 1024)}`, FORM], [413, /1 MiB/]],
    ['in an unknown charset', ['/events/said', () => '{}', { 'Content-Type': 'application/json; charset=klingon' }], [415, /"klingon"/]],
    ['as text/plain with a cookie', ['/events/said', () => '{}', { 'Content-Type': 'text/plain', Authorization: '', Cookie: 'a=b' }], [401, /token/]],
    ['as XML', ['/events/said', () => '<a/>', { 'Content-Type': 'application/xml' }], [415, /application\/json or /]],
  ];

  test.each(refused)(
    'an invalid business event is rejected: %s',
    async (_, [path, body, headers], [status, said]) => {
      const answer = await bot.post(path, body(), { ...headers });
      expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(said)]);
    },
  );

  test('a form-encoded business event can be previewed', async () => {
    const type = (await product.admin.get('/eventtypes?name=said')).body[0].id as string;
    const preview = await product.admin.post(
      `/eventtypes/${type}/preview`,
      `conversation=${conversation}&text=seen`,
      FORM,
    );
    expect(preview.body.results[0].messages[0].text).toBe('seen');
  });

  test('a CloudEvent requires a token of scope bot', async () => {
    const agent = await newUser(product, { role: 'agent' });
    expect((await agent.post('/events', cloudEvent(), STRUCTURED)).status).toBe(403);
    const anonymous = await fetch(`${product.base}/events`, {
      method: 'POST',
      headers: STRUCTURED,
      body: '{}',
    });
    expect(anonymous.status).toBe(401);
  });

  test.each(SIGNATURE_KINDS)(
    'a business event that is signed with %s runs once, even if a repeated post has other unsigned headers',
    async (kind) => {
      const secret = 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz';
      const type = await newEventType(product, `signed.${kind}`, EXPRESSION);
      const { url } = await newIngest(product, type, { user: bot.user, secret, signature: kind });
      const text = `replayed ${kind}`;
      const body = JSON.stringify({ id: `evt-${kind}`, conversation, text });
      const signed = SIGNED[kind](secret, body, `evt-${kind}`);
      const first = await postAndWait(bot, url, body, signed);
      expect(first.status, JSON.stringify(first.body)).toBe(202);
      const replays: Record<string, string>[] = [
        binary({ 'ce-id': '1' }),
        binary({ 'ce-id': '2' }),
        { 'ce-specversion': '0.1' },
        { 'Idempotency-Key': 'another' },
      ];
      for (const replay of replays)
        expect((await postAndWait(bot, url, body, { ...signed, ...replay })).body).toEqual(first.body);
      expect((await postTo(url, body, { ...signed, ...FORM })).status).toBe(415);
      const { body: messages } = await bot.get(`/messages?conversation=${conversation}&text=${text}`);
      expect(messages).toHaveLength(1);
    },
  );

  test('a binary CloudEvent of the SDK, which has no Content-Type, is accepted as JSON', async () => {
    const type = await newEventType(product, 'cloud.untyped', EXPRESSION);
    const { url } = await newIngest(product, type, { user: bot.user });
    const untyped = (to: string, id: string, more: Record<string, string> = {}) =>
      fetch(to, {
        method: 'POST',
        body: Buffer.from(JSON.stringify({ conversation, text: id })),
        headers: { ...binary({ 'ce-id': id, 'ce-type': 'cloud.untyped' }), ...more },
      });
    expect((await untyped(url, 'untyped-1')).status).toBe(202);
    const direct = { Authorization: `Bearer ${bot.token}` };
    expect((await untyped(`${product.base}/events`, 'untyped-2', direct)).status).toBe(200);
  });

  test('a signed business event without an id has the bytes of the post as the idempotency key', async () => {
    const type = await newEventType(product, 'signed.bytes', EXPRESSION);
    const { url } = await newIngest(product, type, {
      user: bot.user,
      secret: 'a secret',
      signature: 'github',
    });
    const send = (text: string) => {
      const body = JSON.stringify({ conversation, text });
      const { 'X-GitHub-Delivery': _, ...signed } = SIGNED.github('a secret', body);
      return postAndWait(bot, url, body, signed);
    };
    const first = await send('one');
    expect((await send('one')).body).toEqual(first.body);
    expect((await send('two')).body.id).not.toBe(first.body.id);
  });
});
