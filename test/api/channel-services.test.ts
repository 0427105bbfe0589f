import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { arrivals, firstArrivals } from '../support/arrivals.ts';
import type { Arrival } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { listen } from '../support/stream.ts';

/** Chapter 15 of the specification, by a service of type `api`. */
describe('a channel of type api', () => {
  let product: Product;
  let admin: ApiClient;
  let adapter: Receiver;
  let service: string;
  let secret: string;
  let second: ApiClient;
  let numbers = 0;

  beforeAll(async () => {
    product = await sharedApi('channel_services');
    ({ admin } = product);
    adapter = await startReceiver();
    second = client((await secondSharedApi()).base, product.token);
  });
  afterAll(async () => {
    await adapter.close();
    await product.close();
  });
  beforeEach(async () => {
    adapter.behave(respondWith(200));
    secret = `whsec_${randomBytes(24).toString('base64')}`;
    const made = await register({});
    expect(made.status).toBe(201);
    service = (await untilActive(admin, made)).id as string;
    return async () => {
      await admin.request('DELETE', `/services/${service}`);
    };
  });

  const register = (params: object, more: object = {}) =>
    admin.post('/services', {
      name: 'SMS by an adapter',
      type: 'api',
      params: { url: adapter.url, secret, touchpoint: 'sms', ...params },
      ...more,
    });
  const newNumber = () => `+3161${String(10_000_000 + (numbers += 1)).slice(1)}`;
  const newEntry = (from: string, text: string) => ({
    id: randomUUID(),
    from: { id: from, telephone: from },
    messages: [{ text }],
  });
  const receive = (entries: object[], by = admin) => by.post(`/services/${service}/inbound`, { entries });
  const findContact = (telephone: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/contacts?profile.telephone=${encodeURIComponent(telephone)}`);
      const [contact] = body as { id: string; conversation?: string; identities: object[] }[];
      return contact?.conversation === undefined ? null : { ...contact, conversation: contact.conversation };
    });
  const messagesOf = async (conversation: string) =>
    (await admin.get(`/conversations/${conversation}/messages?sort=sequence`)).body as any[];
  const isTo = (id: string) => (request: Arrival) => request.json.data?.recipient?.id === id;
  /** Returns the messages that were sent to a recipient, without repetitions. */
  const sentTo = (id: string) => firstArrivals(adapter).filter(isTo(id));
  const attemptsTo = (id: string) => arrivals(adapter).filter(isTo(id));
  const textOf = ({ json }: Arrival) => json.data.message.text as string;
  const reply = (conversation: string, text: string, more: object = {}) =>
    admin.post('/messages', { conversation, text, role: 'agent', ...more });
  const delivered = (message: string, status: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/messages/${message}`);
      return body.delivery?.status === status && body;
    });
  /** Returns the conversation of a new contact who has written an SMS. */
  const writeSms = async (from = newNumber(), text = 'Hello') => {
    expect((await receive([newEntry(from, text)])).status).toBe(202);
    const contact = await findContact(from);
    await eventually(async () => (await messagesOf(contact.conversation)).length > 0);
    return { from, ...contact };
  };

  test('the secret is in no response, and a service keeps it when other params change', async () => {
    const { body } = await admin.get(`/services/${service}`);
    expect(body).toMatchObject({ type: 'api', touchpoint: 'sms', secrets: ['secret'] });
    expect(body.params).toEqual({ url: adapter.url, touchpoint: 'sms' });
    const params = { url: adapter.url, touchpoint: 'sms' };
    const changed = await admin.request('PATCH', `/services/${service}`, { params });
    expect([changed.status, changed.body.secrets]).toEqual([200, ['secret']]);
    const { from, conversation } = await writeSms();
    await reply(conversation, 'signed');
    const [message] = await eventually(() => sentTo(from).length > 0 && sentTo(from));
    expect(message?.headers['webhook-signature']).toMatch(/^v1,/);
    for (const text of [JSON.stringify(body), JSON.stringify(changed.body), message?.body]) {
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    ['params.url', { url: null }],
    ['params.secret', { secret: null }],
    ['params.touchpoint', { touchpoint: null }],
    ['params.touchpoint', { touchpoint: 'web' }],
    ['params.touchpoint', { touchpoint: 'pigeon' }],
    ['params.events', { events: ['message'] }],
  ])('a channel without valid %s is refused', async (path, params) => {
    const { status, body } = await register(params);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body.details).toMatchObject([{ path }]);
  });

  test('an unknown type, a changed type and a touchpoint of a webhook are refused', async () => {
    const made = await register({}, { type: 'pigeon' });
    expect([made.status, made.body.details[0].path]).toEqual([422, 'type']);
    const patched = await admin.request('PATCH', `/services/${service}`, { type: 'webhook' });
    expect([patched.status, patched.body.details[0].path]).toEqual([422, 'type']);
    const webhook = await register({ secret: null }, { type: 'webhook' });
    expect([webhook.status, webhook.body.details[0].path]).toEqual([422, 'params.touchpoint']);
  });

  test('an SMS from an unknown number makes a contact, a conversation with the touchpoint and a message of the contact', async () => {
    const { from, conversation, identities } = await writeSms();
    const [message] = await messagesOf(conversation);
    const carried = { touchpoint: 'sms', service, serviceType: 'api' };
    expect(message).toMatchObject({ text: 'Hello', role: 'contact', isBackchannel: false, ...carried });
    expect(identities).toMatchObject([{ service, touchpoint: 'sms', id: from }]);
    const { body } = await admin.get(`/conversations/${conversation}`);
    expect(body).toMatchObject({
      type: 'contact',
      touchpoints: { sms: { selected: true, services: [service] } },
    });
    // The row of a post is stored after its message.
    const readLog = async () => (await admin.get(`/deliveries?direction=in&service=${service}`)).body;
    await expect.poll(readLog).toMatchObject([{ direction: 'in', status: 'delivered', conversation }]);
  });

  test('an entry that is posted twenty times at once by two API processes is one message', async () => {
    const from = newNumber();
    const entry = newEntry(from, 'only once');
    const path = `/services/${service}/inbound`;
    const posts = Array.from({ length: 20 }, (_, at) =>
      (at % 2 ? second : admin).post(path, { entries: [entry] }),
    );
    expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([202]));
    const { conversation } = await findContact(from);
    await receive([newEntry(from, 'the next')]);
    await eventually(async () => (await messagesOf(conversation)).some(({ text }) => text === 'the next'));
    expect((await messagesOf(conversation)).map(({ text }) => text as string)).toEqual([
      'only once',
      'the next',
    ]);
  });

  test('an entry that cannot be posted is one failed delivery with its reason, and the next entry is posted', async () => {
    const from = newNumber();
    const bad = newEntry(from, '\u2800');
    await receive([bad, newEntry(from, 'readable')]);
    const { conversation } = await findContact(from);
    await eventually(async () => (await messagesOf(conversation)).length >= 1);
    const [failed] = await eventually(async () => {
      const { body } = await admin.get(`/deliveries?direction=in&service=${service}&status=failed`);
      return body.length > 0 && (body as [{ id: string }]);
    });
    const { attempts } = (await admin.get(`/deliveries/${failed.id}`)).body;
    expect(attempts).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining('invalid_request') },
    ]);
  });

  test('a replayed entry is posted once', async () => {
    const { from, conversation } = await writeSms();
    const since = '2020-01-01';
    await admin.post(`/services/${service}/replay`, { since, status: 'delivered' });
    await receive([newEntry(from, 'after the replay')]);
    await eventually(async () => (await messagesOf(conversation)).length >= 2);
    expect((await messagesOf(conversation)).map(({ text }) => text as string)).toEqual([
      'Hello',
      'after the replay',
    ]);
  });

  test('the reply of an agent who names no channel goes by the channel, once, and its receipts are shown', async () => {
    adapter.behave(respondWith(200, JSON.stringify({ externalId: 'SM42' })));
    const { from, conversation } = await writeSms();
    const posted = await reply(conversation, 'How can I help?');
    const carried = { service, serviceType: 'api', touchpoint: 'sms' };
    expect(posted.body).toMatchObject({ ...carried, delivery: { status: 'queued', service } });
    const { id } = posted.body;
    const stream = await listen(`${product.base}/conversations/${conversation}/stream`, {
      token: product.token,
    });
    expect((await delivered(id, 'sent')).delivery.externalId).toBe('SM42');
    await admin.post(`/services/${service}/receipts`, { receipts: [{ message: id, status: 'read' }] });
    const late = { receipts: [{ message: id, status: 'delivered' }] };
    expect((await admin.post(`/services/${service}/receipts`, late)).body).toEqual({
      accepted: 1,
      unknown: 0,
    });
    expect((await admin.get(`/messages/${id}`)).body).toMatchObject({
      ...carried,
      delivery: { status: 'read' },
    });
    expect(sentTo(from).map(textOf)).toEqual(['How can I help?']);
    const heard = await stream.until(
      ({ event, data }) => event === 'receipt' && data.delivery.status === 'read',
    );
    expect(heard.data).toMatchObject({ conversation, message: id });
    await stream.close();
  });

  test('a receipt is an event for webhooks, in a lane of the message', async () => {
    const hook = await startReceiver();
    const params = { url: hook.url, events: ['message.receipt.*.chat.agent'] };
    const webhook = await admin.post('/services', { name: 'hook', type: 'webhook', params });
    const { conversation } = await writeSms();
    const { id } = (await reply(conversation, 'for the hook')).body;
    await delivered(id, 'sent');
    const receipts = [{ message: id, status: 'failed', error: { code: '30003', message: 'Unreachable.' } }];
    await admin.post(`/services/${service}/receipts`, { receipts });
    await eventually(() => firstArrivals(hook).length >= 2);
    const events = firstArrivals(hook).map(({ json }) => json);
    expect(events.map(({ data }) => data.receipt.status as string)).toEqual(['sent', 'failed']);
    expect(events[1]).toMatchObject({
      event: 'message.receipt.contact.chat',
      data: { message: { id }, receipt: { service, error: { code: '30003' } } },
    });
    await admin.request('DELETE', `/services/${webhook.body.id}`);
    await hook.close();
  });

  test('a receipt of a message that the service does not carry stores nothing', async () => {
    const { conversation } = await writeSms();
    const [message] = await messagesOf(conversation);
    const receipts = [{ message: message.id, status: 'read' }];
    const { status, body } = await admin.post(`/services/${service}/receipts`, { receipts });
    expect([status, body]).toEqual([202, { accepted: 0, unknown: 1 }]);
    expect((await admin.get(`/messages/${message.id}`)).body).not.toHaveProperty('delivery');
  });

  test('a refused message fails with its code, the next message is sent and the service stays active', async () => {
    adapter.behave((response, { body }) => {
      if (!body.includes('never arrives')) return void response.writeHead(200).end();
      const error = { code: '21211', message: 'The number is invalid.' };
      response.writeHead(422).end(JSON.stringify({ error }));
    });
    const { from, conversation } = await writeSms();
    const refused = (await reply(conversation, 'never arrives')).body;
    const next = (await reply(conversation, 'the next message')).body;
    expect((await delivered(refused.id, 'failed')).delivery.error).toEqual({
      code: '21211',
      message: 'The number is invalid.',
    });
    await delivered(next.id, 'sent');
    expect(sentTo(from).map(textOf)).toEqual(['never arrives', 'the next message']);
    expect((await admin.get(`/services/${service}`)).body).toMatchObject({ status: 'active' });
  });

  test('messages arrive in order although the adapter is throttled and fails in between', async () => {
    let failures = 0;
    adapter.behave((response, { body }) => {
      if (body.includes('"text":"3"') && (failures += 1) <= 2) {
        return void response.writeHead(failures === 1 ? 503 : 429, { 'retry-after': '1' }).end();
      }
      response.writeHead(200).end();
    });
    const { from, conversation } = await writeSms();
    const texts = ['1', '2', '3', '4', '5'];
    await admin.post(
      '/messages',
      texts.map((text) => ({ conversation, text, role: 'agent' })),
    );
    await eventually(() => sentTo(from).length >= texts.length);
    expect(sentTo(from).map(textOf)).toEqual(texts);
    const attempts = attemptsTo(from).map(textOf);
    const beforeNext = attempts.slice(0, attempts.indexOf('4'));
    expect(beforeNext.filter((text) => text === '3').length).toBeGreaterThanOrEqual(3);
  });

  test('a message to a contact that opted out or has no address is refused with a code', async () => {
    const { from, conversation } = await writeSms();
    const { id } = (await reply(conversation, 'one too many')).body;
    await delivered(id, 'sent');
    const receipts = [{ message: id, status: 'failed', error: { code: 'opted_out' } }];
    await admin.post(`/services/${service}/receipts`, { receipts });
    const refused = await reply(conversation, 'not wanted');
    expect([refused.status, refused.body.code]).toEqual([422, 'opted_out']);
    const entry = newEntry(from, 'START');
    await receive([{ ...entry, from: { ...entry.from, optedOut: false } }]);
    await eventually(async () => (await reply(conversation, 'wanted again')).status === 201);
    const lonely = (await admin.post('/conversations', { name: 'nobody' })).body.id;
    const nowhere = await reply(lonely, 'to nobody', { service });
    expect([nowhere.status, nowhere.body.code]).toEqual([422, 'no_address']);
  });

  test('an adapter that rejects the secret makes the service failed, and the held messages arrive after a change', async () => {
    adapter.behave((response, { method }) => response.writeHead(method === 'GET' ? 200 : 401).end());
    const { from, conversation } = await writeSms();
    await reply(conversation, 'first');
    await eventually(async () => (await admin.get(`/services/${service}`)).body.status === 'failed');
    const { body } = await reply(conversation, 'second');
    expect(body.delivery.status).toBe('queued');
    const tried = attemptsTo(from).length;
    // A failed channel still receives.
    await receive([newEntry(from, 'still there?')]);
    await eventually(async () => (await messagesOf(conversation)).at(-1)?.text === 'still there?');
    adapter.behave(respondWith(200));
    const params = { url: adapter.url, secret, touchpoint: 'sms' };
    const mended = await admin.request('PATCH', `/services/${service}`, { params });
    await untilActive(admin, mended);
    await delivered(body.id, 'sent');
    expect([...new Set(attemptsTo(from).slice(tried).map(textOf))]).toEqual(['first', 'second']);
  });

  test('a delayed message is carried when it is due', async () => {
    const { from, conversation } = await writeSms();
    const { body } = await reply(conversation, 'later', { delay: 1_000 });
    expect(body).not.toHaveProperty('delivery');
    expect(await delivered(body.id, 'sent')).toMatchObject({ service, touchpoint: 'sms' });
    expect(sentTo(from).map(textOf)).toEqual(['later']);
  });

  test('an upsert by identity finds the contact, and names the contact that has the telephone', async () => {
    const { id: other, from: taken } = await writeSms();
    const identity = { service, id: newNumber() };
    const made = await admin.post('/conversations', { contact: { identity }, messages: [] });
    expect(made.status).toBe(201);
    const again = await admin.post('/conversations', {
      contact: { identity, profile: { telephone: taken } },
    });
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
    expect(again.headers.get('parlance-hint') ?? JSON.stringify([...again.headers])).toContain(other);
    const unknown = await admin.post('/conversations', {
      contact: { identity: { service: other, id: '1' } },
    });
    expect([unknown.status, unknown.body.details[0].path]).toEqual([422, 'contact.identity.service']);
  });

  test('a message of a merged contact is posted for the surviving contact', async () => {
    const { id, conversation } = await writeSms();
    const { id: other, from } = await writeSms();
    const merged = await admin.post(`/contacts/${id}/merge`, { contact: other });
    expect([merged.status, merged.body.identities.length]).toEqual([200, 2]);
    await receive([newEntry(from, 'after the merge')]);
    await eventually(async () => (await messagesOf(conversation)).at(-1)?.text === 'after the merge');
    const [identity] = (await admin.get(`/contacts/${id}`)).body.identities;
    expect(identity).toMatchObject({ service });
  });

  test('the posts and messages of a deleted conversation leave the delivery log', async () => {
    const { conversation } = await writeSms();
    await admin.request('DELETE', `/conversations/${conversation}`);
    await eventually(
      async () => (await admin.get(`/deliveries?direction=in&service=${service}`)).body.length === 0,
    );
  });

  test('a webhook and a disabled channel cannot receive', async () => {
    const entry = newEntry(newNumber(), 'no');
    await admin.request('PATCH', `/services/${service}`, { status: 'disabled' });
    expect((await receive([entry])).status).toBe(422);
    const params = { events: ['message'] };
    const webhook = (await admin.post('/services', { name: 'feed', type: 'webhook', params })).body.id;
    expect((await admin.post(`/services/${webhook}/inbound`, { entries: [entry] })).status).toBe(422);
    const missing = await admin.post(`/services/${'0'.repeat(24)}/inbound`, { entries: [entry] });
    expect(missing.status).toBe(404);
  });
});
