import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import { PNG } from '../support/files.ts';
import type { Product } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { sharedApi } from '../support/shared-servers.ts';

/** Sections 15.8 and 15.9 of the specification, with a fake of Twilio. */
describe('SMS by Twilio', () => {
  let product: Product;
  let admin: ApiClient;
  let twilio: FakeTwilio;
  let service: string;
  let numbers = 0;

  beforeAll(async () => {
    product = await sharedApi('twilio');
    ({ admin } = product);
    twilio = await new FakeTwilio('+31201110002').start();
    const made = await admin.post('/services', { name: 'SMS', type: 'twilio', params: twilio.params() });
    expect(made.status).toBe(201);
    service = (await untilActive(admin, made)).id as string;
  });
  afterEach(() => {
    expect(twilio.violations).toEqual([]);
  });
  afterAll(async () => {
    await twilio.close();
    await product.close();
  });

  const newNumber = () => `+3162${String(10_000_000 + (numbers += 1)).slice(1)}`;
  const newSid = (kind = 'SM') => `${kind}${randomBytes(16).toString('hex')}`;
  const findContact = (telephone: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/contacts?profile.telephone=${encodeURIComponent(telephone)}`);
      const [contact] = body as { id: string; conversation?: string; identities: any[] }[];
      return contact?.conversation === undefined ? null : { ...contact, conversation: contact.conversation };
    });
  const messagesOf = async (conversation: string) =>
    (await admin.get(`/conversations/${conversation}/messages?sort=sequence`)).body as any[];
  const textsOf = async (conversation: string) =>
    (await messagesOf(conversation)).map(({ text }) => text as string);
  const waitForText = (conversation: string, text: string) =>
    eventually(async () => (await textsOf(conversation)).includes(text));
  const reply = (conversation: string, text: string, more: object = {}) =>
    admin.post('/messages', { conversation, text, role: 'agent', ...more });
  const quickReplies = (...texts: string[]) =>
    texts.map((text) => ({ type: 'reply', text, payload: `choice=${text}` }));
  const statusOf = async (message: string) => (await admin.get(`/messages/${message}`)).body.delivery;
  const waitForStatus = (message: string, status: string) =>
    eventually(async () => {
      const delivery = await statusOf(message);
      return delivery?.status === status && delivery;
    });
  const lastDelivery = async (conversation: string) => {
    const { body } = await admin.get(`/deliveries?service=${service}&conversation=${conversation}`);
    const rows = body as { id: string; direction?: string; sequence: number }[];
    const sent = rows.filter(({ direction }) => direction === undefined);
    const last = sent.reduce((a, b) => (a.sequence > b.sequence ? a : b));
    return (await admin.get(`/deliveries/${last.id}`)).body;
  };
  const postsIn = async () => (await admin.get(`/deliveries?direction=in&service=${service}`)).body as any[];
  const writeSms = async (from = newNumber(), text = 'Hello') => {
    expect((await twilio.receive(from, { Body: text })).status).toBe(200);
    const contact = await findContact(from);
    await waitForText(contact.conversation, text);
    return { from, ...contact };
  };

  test('an SMS from an unknown number makes a contact, a conversation and a message of the contact', async () => {
    const from = newNumber();
    const response = await twilio.receive(from, { Body: 'Hi there 😀' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    ]);
    const { conversation, identities } = await findContact(from);
    await waitForText(conversation, 'Hi there 😀');
    const [message] = await messagesOf(conversation);
    expect(message).toMatchObject({ role: 'contact', touchpoint: 'sms', service, serviceType: 'twilio' });
    expect(identities).toMatchObject([{ service, touchpoint: 'sms', id: from }]);
    const { body } = await admin.get(`/conversations/${conversation}`);
    expect(body.touchpoints).toMatchObject({ sms: { selected: true, services: [service] } });
  });

  test('an SMS that is posted twenty times at once is one message', async () => {
    const [from, MessageSid] = [newNumber(), newSid()];
    const sms = { Body: 'once', MessageSid };
    const posts = Array.from({ length: 20 }, () => twilio.receivePatiently(from, sms));
    expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([200]));
    const { conversation } = await findContact(from);
    await twilio.receive(from, { Body: 'next' });
    await waitForText(conversation, 'next');
    expect(await textsOf(conversation)).toEqual(['once', 'next']);
  });

  test('a post that Twilio has not signed for this address is 403, and nothing is stored', async () => {
    const before = (await postsIn()).length;
    const form = { MessageSid: newSid(), From: newNumber(), Body: 'forged' };
    const url = twilio.webhook();
    const signed = { 'x-twilio-signature': twilio.sign(url, form) };
    const posts = [
      twilio.post(url, form, { 'x-twilio-signature': '' }),
      twilio.post(url, form, { 'x-twilio-signature': twilio.sign(url, { ...form, Body: 'other' }) }),
      twilio.post(`${url}?more=1`, form, signed),
      twilio.post(url.replace('/inbound', `/receipts/${'0'.repeat(24)}`), form, signed),
      fetch(url, { method: 'POST', body: '{}', headers: { ...signed, 'content-type': 'application/json' } }),
    ];
    const responses = await Promise.all(posts);
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const unknown = url.replace(service, '0'.repeat(24));
    expect((await twilio.post(unknown, form)).status).toBe(404);
    expect((await postsIn()).length).toBe(before);
  });

  test('a post is checked over the public address, not over its headers', async () => {
    const from = newNumber();
    const form = { MessageSid: newSid(), From: from, Body: 'by a proxy' };
    const response = await twilio.post(twilio.webhook(), form, { 'x-forwarded-host': 'evil.example.com' });
    expect(response.status).toBe(200);
    await waitForText((await findContact(from)).conversation, 'by a proxy');
  });

  test('a genuine post without a message is one failed delivery with its reason, and the next is taken', async () => {
    const url = twilio.webhook();
    expect((await twilio.post(url, { AccountSid: twilio.accountSid })).status).toBe(200);
    await writeSms();
    const failed = await eventually(async () => (await postsIn()).find(({ status }) => status === 'failed'));
    const { attempts } = (await admin.get(`/deliveries/${failed.id}`)).body;
    expect(attempts).toMatchObject([{ outcome: 'refused', reason: 'The post has no MessageSid.' }]);
  });

  test('a replayed SMS posts nothing twice', async () => {
    const { from, conversation } = await writeSms();
    await admin.post(`/services/${service}/replay`, { since: '2020-01-01', status: 'delivered' });
    await twilio.receive(from, { Body: 'after the replay' });
    await waitForText(conversation, 'after the replay');
    expect(await textsOf(conversation)).toEqual(['Hello', 'after the replay']);
    expect(twilio.taken(from)).toEqual([]);
  });

  test('numbers of Argentina and Mexico in both forms are one contact', async () => {
    for (const [first, second] of [
      ['+5491123456789', '+541123456789'],
      ['+525512345678', '+5215512345678'],
    ] as const) {
      const { conversation, id } = await writeSms(first);
      await twilio.receive(second, { Body: 'other form' });
      await waitForText(conversation, 'other form');
      const { identities } = (await admin.get(`/contacts/${id}`)).body;
      expect((identities as { id: string }[]).map((one) => one.id)).toEqual([first, second]);
    }
  });

  test('the reply of an agent who names no channel goes by SMS, once, and its receipts only rise', async () => {
    const { from, conversation } = await writeSms();
    const { body } = await reply(conversation, 'How can I help?');
    expect(body).toMatchObject({ service, serviceType: 'twilio', touchpoint: 'sms' });
    const [sms] = await eventually(() => twilio.taken(from).length > 0 && twilio.taken(from));
    expect(sms).toMatchObject({ from: twilio.number, body: 'How can I help?', media: [] });
    expect(await waitForStatus(body.id, 'sent')).toMatchObject({ externalId: sms!.sid });
    for (const status of ['read', 'delivered', 'sending', 'read', 'queued']) {
      expect((await twilio.report(sms!, status)).status).toBe(200);
    }
    expect((await twilio.report(sms!, 'undelivered', '30003')).status).toBe(200);
    expect(await statusOf(body.id)).toMatchObject({ status: 'read', externalId: sms!.sid });
    expect(twilio.taken(from).length).toBe(1);
  });

  test('a status callback with an error fails the message with code and reason', async () => {
    const { from, conversation } = await writeSms();
    const { id } = (await reply(conversation, 'into the void')).body;
    await waitForStatus(id, 'sent');
    await twilio.report(twilio.taken(from)[0]!, 'undelivered', '30003');
    const { error } = await waitForStatus(id, 'failed');
    expect(error).toMatchObject({ code: '30003', message: expect.stringContaining('switched off') });
    expect((await reply(conversation, 'again')).status).toBe(201);
    await eventually(() => twilio.taken(from).length >= 2);
    await twilio.report(twilio.taken(from)[1]!, 'undelivered', '30005');
    await eventually(async () => (await reply(conversation, 'third')).body.code === 'unreachable');
  });

  test('a callback that arrives before the response of Twilio is not lost', async () => {
    const { from, conversation } = await writeSms();
    twilio.next.set('early', [{ before: (message) => twilio.report(message, 'delivered') }]);
    const { id } = (await reply(conversation, 'early')).body;
    await waitForStatus(id, 'delivered');
    const after = (await reply(conversation, 'after early')).body.id;
    await waitForStatus(after, 'sent');
    expect(await statusOf(id)).toMatchObject({ status: 'delivered', externalId: twilio.taken(from)[0]!.sid });
  });

  test('ten messages arrive in order although the fourth gets 503 twice', async () => {
    const { from, conversation } = await writeSms();
    const texts = Array.from({ length: 10 }, (_, at) => `${from} number ${at + 1}`);
    twilio.next.set(texts[3]!, [{ status: 503 }, { status: 503 }]);
    const waiting = texts.map((text) => ({ conversation, text, role: 'agent' }));
    await admin.post('/messages', waiting);
    await eventually(() => twilio.taken(from).length >= 10);
    expect(twilio.taken(from).map(({ body }) => body)).toEqual(texts);
  });

  test('a message that Twilio took without a usable response is found, and not sent again', async () => {
    const { from, conversation } = await writeSms();
    // The same text before it must not be taken for it.
    await reply(conversation, 'taken');
    await eventually(() => twilio.taken(from).length >= 1);
    twilio.next.set('taken', [{ status: 500, take: true }]);
    const { id } = (await reply(conversation, 'taken')).body;
    const { externalId } = await waitForStatus(id, 'sent');
    expect(twilio.taken(from).map(({ sid }) => sid)).toEqual([expect.any(String), externalId]);
  });

  test('a message whose connection broke is looked up before it is sent again', async () => {
    const { from, conversation } = await writeSms();
    twilio.next.set('broken off', [{ close: true, take: true }]);
    twilio.next.set('never arrived', [{ close: true }]);
    const first = (await reply(conversation, 'broken off')).body.id;
    await waitForStatus(first, 'sent');
    const second = (await reply(conversation, 'never arrived')).body.id;
    await waitForStatus(second, 'sent');
    expect(twilio.taken(from).map(({ body }) => body)).toEqual(['broken off', 'never arrived']);
  }, 120_000);

  test('an invalid number fails its message at once, and the channel stays active', async () => {
    const { from, conversation } = await writeSms();
    twilio.next.set('invalid', [{ status: 400, code: 21211, message: "The 'To' number is not valid." }]);
    const { id } = (await reply(conversation, 'invalid')).body;
    const { error } = await waitForStatus(id, 'failed');
    expect(error).toEqual({ code: '21211', message: "The 'To' number is not valid." });
    expect(await reply(conversation, 'again')).toMatchObject({ status: 422, body: { code: 'unreachable' } });
    // A message of the contact shows that the number is reachable.
    await twilio.receive(from, { Body: 'I am here' });
    await eventually(async () => (await reply(conversation, 'good')).status === 201);
    expect((await admin.get(`/services/${service}`)).body.status).toBe('active');
  });

  test('a message that Twilio refuses does not hold up the next message', async () => {
    const { from, conversation } = await writeSms();
    twilio.next.set('refused', [{ status: 403, code: 21408, message: 'The region is not enabled.' }]);
    const refused = (await reply(conversation, 'refused')).body.id;
    const next = (await reply(conversation, 'the next')).body.id;
    await waitForStatus(next, 'sent');
    expect(await statusOf(refused)).toMatchObject({ status: 'failed', error: { code: '21408' } });
    expect(twilio.taken(from).map(({ body }) => body)).toEqual(['the next']);
  });

  test('STOP refuses the next reply, START frees it, and 21610 marks the contact', async () => {
    const { from, conversation } = await writeSms();
    await twilio.receive(from, { Body: 'Stop' });
    await eventually(async () => (await reply(conversation, 'unwanted')).body.code === 'opted_out');
    await twilio.receive(from, { Body: 'in again, please', OptOutType: 'START' });
    await eventually(async () => (await reply(conversation, 'wanted')).status === 201);
    twilio.next.set('one too many', [{ status: 400, code: 21610, message: 'Unsubscribed recipient.' }]);
    const { id } = (await reply(conversation, 'one too many')).body;
    await waitForStatus(id, 'failed');
    expect(await reply(conversation, 'unwanted')).toMatchObject({ status: 422, body: { code: 'opted_out' } });
    expect(await textsOf(conversation)).toEqual(expect.arrayContaining(['Stop', 'in again, please']));
  });

  test('a throttled message waits for the time that Twilio names, and other conversations are sent', async () => {
    const [slow, quick] = [await writeSms(), await writeSms()];
    twilio.next.set('throttled', [{ status: 429, code: 20429, retryAfter: 900 }]);
    const throttled = (await reply(slow.conversation, 'throttled')).body.id;
    const delivery = await eventually(async () => {
      const found = await lastDelivery(slow.conversation);
      return found.attemptCount === 1 && found;
    });
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ outcome: 'throttled' }] });
    const waitMs = Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.attempts[0].at);
    expect(waitMs).toBeGreaterThanOrEqual(900_000);
    const other = (await reply(quick.conversation, 'meanwhile')).body.id;
    await waitForStatus(other, 'sent');
    expect((await statusOf(throttled)).status).toBe('queued');
    await admin.post(`/deliveries/${delivery.id}/retry`);
    await waitForStatus(throttled, 'sent');
  });

  test('a message that does not fit one SMS is several SMS, and the last determines its status', async () => {
    const { from, conversation } = await writeSms();
    const text = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');
    const { id } = (await reply(conversation, text)).body;
    await waitForStatus(id, 'sent');
    const parts = twilio.taken(from);
    expect(parts.map(({ body }) => body).join(' ')).toBe(text);
    expect(parts.length).toBe(2);
    await twilio.report(parts[0]!, 'delivered');
    expect((await statusOf(id)).status).toBe('sent');
    await twilio.report(parts[1]!, 'delivered');
    expect(await statusOf(id)).toMatchObject({ status: 'delivered', externalId: parts[1]!.sid });
  });

  test('quick replies are numbered lines, and a picture is sent as media', async () => {
    const { from, conversation } = await writeSms();
    await reply(conversation, 'Agree?', { actions: quickReplies('Yes', 'No') });
    const picture = 'https://example.com/map.png';
    await reply(conversation, picture, { contentType: 'image/png' });
    await eventually(() => twilio.taken(from).length >= 2);
    expect(twilio.taken(from)).toMatchObject([
      { body: 'Agree?\n1. Yes\n2. No', media: [] },
      { body: '', media: [picture] },
    ]);
  });

  test('a number in an SMS presses the button of the last message, and is a text where that has no button', async () => {
    const { from, conversation } = await writeSms();
    const ask = async (text: string, more: object) =>
      waitForStatus((await reply(conversation, text, more)).body.id, 'sent');
    const answer = async (Body: string, expected: string) => {
      await twilio.receive(from, { Body });
      await waitForText(conversation, expected);
    };
    await ask('When?', { actions: quickReplies('Morning', 'Evening') });
    await answer('2', 'choice=Evening');
    await answer('3', '3');
    await ask('How many people?', {});
    await answer('1', '1');
    const written = (await messagesOf(conversation)).filter(({ role }) => role === 'contact');
    expect(written.map(({ type }) => type)).toEqual(['chat', 'postback', 'chat', 'chat']);
  });

  test('a picture of an MMS is a file of the conversation, and is deleted with it', async () => {
    const [from, name] = [newNumber(), newSid('ME')];
    const png = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    twilio.files.set(name, png);
    await twilio.receive(from, mms(name, { Body: 'Look', MessageSid: newSid('MM') }));
    const { conversation } = await findContact(from);
    const [text, file] = await eventually(async () => {
      const all = await messagesOf(conversation);
      return all.length >= 2 && all;
    });
    expect(twilio.mediaAuthorizations).toEqual([undefined]); // Of the other host that has the file.
    expect(text).toMatchObject({ text: 'Look', contentType: 'text/plain' });
    expect(file).toMatchObject({ contentType: 'image/png', role: 'contact', touchpoint: 'sms', service });
    // The file does not depend on the address at Twilio.
    twilio.files.delete(name);
    const stored = await fetch(file.text as string);
    expect(Buffer.from(await stored.arrayBuffer()).equals(png)).toBe(true);
    await admin.request('DELETE', `/conversations/${conversation}`);
    await eventually(async () => (await fetch(file.text as string)).status === 404);
  });

  test('a file that is too large or missing becomes a message with the reason, beside the text', async () => {
    const [from, large, gone] = [newNumber(), newSid('ME'), newSid('ME')];
    twilio.files.set(large, Buffer.alloc(17 * 1024 * 1024, 1));
    await twilio.receive(from, mms(large, { Body: 'Too much', MessageSid: newSid('MM') }));
    await twilio.receive(from, mms(gone, { Body: 'Nothing', MessageSid: newSid('MM') }));
    const { conversation } = await findContact(from);
    const texts = await eventually(async () => {
      const all = await textsOf(conversation);
      return all.length >= 4 && all;
    });
    expect(texts).toEqual([
      'Too much',
      expect.stringContaining('larger than 16 MiB'),
      'Nothing',
      expect.stringContaining('It responded with 404'),
    ]);
  });

  const mms = (media: string, more: Record<string, string>) => ({
    NumMedia: '1',
    MediaUrl0: `${twilio.url}/2010-04-01/Accounts/${twilio.accountSid}/Messages/${more['MessageSid']}/Media/${media}`,
    MediaContentType0: 'image/png',
    ...more,
  });

  test('a wrong token makes the channel failed, and a new token sends what has waited, in order and once', async () => {
    const own = await new FakeTwilio('+31201110003').start();
    const made = await admin.post('/services', { name: 'Own', type: 'twilio', params: own.params() });
    const id = (await untilActive(admin, made)).id as string;
    const from = newNumber();
    await own.receive(from, { Body: 'Hello' });
    const { conversation } = await findContact(from);
    await waitForText(conversation, 'Hello');
    const old = own.authToken;
    own.authToken = randomBytes(16).toString('hex');
    const texts = ['1', '2', '3', '4', '5'];
    await admin.post(
      '/messages',
      texts.map((text) => ({ conversation, text, role: 'agent' })),
    );
    await eventually(async () => (await admin.get(`/services/${id}`)).body.status === 'failed');
    expect((await admin.get(`/services/${id}`)).body.statusReason).toContain('Authenticate');
    const patched = await admin.request('PATCH', `/services/${id}`, { params: own.params() });
    await untilActive(admin, patched);
    await eventually(() => own.taken(from).length >= 5);
    expect(own.taken(from).map(({ body }) => body)).toEqual(texts);
    // Posts that Twilio signed before the change are still genuine.
    own.authToken = old;
    expect((await own.receive(from, { Body: 'signed with the old token' })).status).toBe(200);
    await waitForText(conversation, 'signed with the old token');
    await own.close();
  });
});
