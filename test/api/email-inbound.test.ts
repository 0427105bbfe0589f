import { MongoClient } from 'mongodb';
import nodemailer from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readThreadTimes } from '../attack/thread-times.ts';
import { listBrokenMails } from '../support/broken-mails.ts';
import { untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { PNG } from '../support/files.ts';
import { MailServer } from '../support/mail-server.ts';
import type { ReceivedMail } from '../support/mail-server.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { newUser, startApi } from '../support/shared-servers.ts';

/** A second of an event loop is more than this many honest mails. */
const MAX_RATIO = 10;
/** A garbage collection or a slow store may disturb a measurement, but not each of them. */
const MEASUREMENTS = 3;
const DOMAIN = 'in.example.com';

/** Section 15.11 of the specification. The sender is nodemailer. */
describe('mail that Parlance receives', () => {
  let product: OwnProduct;
  let admin: ApiClient;
  let server: MailServer;
  let store: MongoClient;
  let service: string;
  let channel: string;
  let people = 0;

  beforeAll(async () => {
    product = await startApi('email_inbound', { MAIL_PORT: '0', MAIL_DOMAIN: DOMAIN });
    ({ admin } = product);
    store = await MongoClient.connect(product.environment['MONGODB_URI'] ?? '');
    server = await new MailServer().start();
    const made = await admin.post('/services', { name: 'Mail', type: 'email', params: server.params() });
    expect(made.status).toBe(201);
    ({ id: service, inboundAddress: channel } = await untilActive(admin, made));
  });
  afterAll(async () => {
    await server.close();
    await store.close();
    await product.close();
  });

  const newAddress = () => `person${(people += 1)}@sender.example`;
  /** Sends a mail by SMTP, and returns the error of the server if there is one. */
  const send = async (mail: SendMailOptions): Promise<(Error & { responseCode?: number }) | null> => {
    const port = Number(product.environment['MAIL_PORT']);
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    return transport.sendMail({ to: channel, subject: 'Lamp', text: 'Hello', ...mail }).then(
      () => null,
      (error: unknown) => error as Error,
    );
  };
  const sendRaw = (raw: string | Buffer, from = newAddress(), to = channel) =>
    send({ raw, envelope: { from, to } });
  const findContact = (email: string) =>
    eventually(async () => {
      const [found] = (await admin.get(`/contacts?profile.email=${encodeURIComponent(email)}`)).body;
      return found?.conversation === undefined
        ? null
        : (found as { conversation: string; identities: any[] });
    });
  const messagesOf = async (conversation: string) =>
    (await admin.get(`/conversations/${conversation}/messages?sort=sequence`)).body as any[];
  const waitForText = (conversation: string, text: string) =>
    eventually(async () => (await messagesOf(conversation)).find((one) => one.text === text) ?? null);
  const rowsIn = async (status: string) =>
    (await admin.get(`/deliveries?service=${service}&direction=in&status=${status}&limit=200`)).body as any[];
  /** Sends a mail of a new contact, waits for the reply of an agent, and returns both. */
  const talk = async () => {
    const from = newAddress();
    expect(await send({ from, text: 'Is the lamp red?', messageId: `<first-${from}>` })).toBeNull();
    const { conversation } = await findContact(from);
    await waitForText(conversation, 'Is the lamp red?');
    const { body } = await admin.post('/messages', { conversation, text: 'It is.', role: 'agent' });
    await untilDelivery(admin, body.id as string, 'sent');
    const [reply] = server.sentTo(from) as [ReceivedMail];
    return { from, conversation, message: body.id as string, reply: reply.mail };
  };
  const replyTo = (mail: ReceivedMail['mail']) => ({
    to: mail.replyTo?.text ?? '',
    subject: `Re: ${mail.subject}`,
    inReplyTo: mail.messageId,
    references: [mail.references ?? [], mail.messageId ?? ''].flat(),
  });

  test('a mail of a blocked contact is confirmed and posts nothing, also from another address to the conversation', async () => {
    const { from, conversation, reply } = await talk();
    const { contact } = (await admin.get(`/conversations/${conversation}`)).body;
    const block = (blocked: boolean) => admin.request('PUT', `/contacts/${contact}/blocked`, { blocked });
    expect((await block(true)).status).toBe(200);
    const before = (await messagesOf(conversation)).length;
    const known = new Set((await rowsIn('delivered')).map(({ id }) => id as string));
    const sent = server.sentTo(from).length;
    expect(await send({ ...replyTo(reply), from, text: 'Listen to me' })).toBeNull();
    expect(await send({ ...replyTo(reply), from: newAddress(), text: 'Listen to us' })).toBeNull();
    const ends = await eventually(async () => {
      const found = (await rowsIn('delivered')).filter(({ id }) => !known.has(id));
      return found.length >= 2 && found;
    });
    for (const { id } of ends) {
      const { attempts } = (await admin.get(`/deliveries/${id}`)).body;
      expect(attempts.map((one: any) => one.reply)).toEqual(['Not posted: the contact is blocked.']);
    }
    expect([await messagesOf(conversation), server.sentTo(from)].map(({ length }) => length)).toEqual([
      before,
      sent,
    ]);
    await block(false);
    await send({ ...replyTo(reply), from, text: 'Thank you' });
    await waitForText(conversation, 'Thank you');
  });

  test('a mail of a stranger begins a conversation, and the reply of an agent is in the same thread', async () => {
    const { from, conversation, reply } = await talk();
    const { body } = await admin.get(`/conversations/${conversation}`);
    expect(body).toMatchObject({
      name: 'Lamp',
      touchpoints: { email: { selected: true, services: [service] } },
    });
    const [first] = await messagesOf(conversation);
    expect(first).toMatchObject({
      ...{ role: 'contact', touchpoint: 'email', serviceType: 'email', service },
      meta: { email: { messageId: `<first-${from}>`, subject: 'Lamp' } },
    });
    expect(reply).toMatchObject({ subject: 'Re: Lamp', inReplyTo: `<first-${from}>` });
    expect(reply.replyTo?.text).toMatch(/^reply\+[0-9a-f]{24}\.[a-z2-7]{16}@in\.example\.com$/);
  });

  test('a reply lands in the conversation without the quote, and the whole mail can be read', async () => {
    const { from, conversation, reply } = await talk();
    const text = `Thanks!\n\nOn Mon, Nov 3, 2025 at 10:00 AM Support <support@example.com> wrote:\n\n> It is.`;
    expect(await send({ from, ...replyTo(reply), text })).toBeNull();
    const message = await waitForText(conversation, 'Thanks!');
    expect(message).toMatchObject({ role: 'contact', meta: { email: { isCut: true } } });
    const original = await (await fetch(message.meta.email.original as string)).text();
    expect(original).toContain('> It is.');
  });

  test('a mail that is sent twice is one message', async () => {
    const from = newAddress();
    const mail = { from, text: 'once', messageId: `<twice-${from}>` };
    expect([await send(mail), await send(mail)]).toEqual([null, null]);
    const { conversation } = await findContact(from);
    expect(await send({ from, text: 'next' })).toBeNull();
    await waitForText(conversation, 'next');
    expect((await messagesOf(conversation)).map(({ text }) => text)).toEqual(['once', 'next']);
  });

  test('a reply of another person is a note that names the person, and not a message of the contact', async () => {
    const { conversation, reply } = await talk();
    const other = newAddress();
    expect(await send({ from: other, ...replyTo(reply), text: 'I am a colleague.' })).toBeNull();
    const note = await waitForText(conversation, 'I am a colleague.');
    expect(note).toMatchObject({ role: 'system', isBackchannel: true, meta: { email: { from: other } } });
  });

  test('a mail with a forged Message-ID is a note of the sender, and nothing in the other conversation', async () => {
    const { conversation, reply } = await talk();
    const { from, conversation: own } = await talk();
    const forged = (reply.messageId ?? '').replace(/\.[a-z2-7]{16}@/, `.${'a'.repeat(16)}@`);
    expect(await send({ from, references: forged, inReplyTo: forged, text: 'Let me in.' })).toBeNull();
    expect(await waitForText(own, 'Let me in.')).toMatchObject({ role: 'system', isBackchannel: true });
    expect((await messagesOf(conversation)).map(({ text }) => text)).not.toContain('Let me in.');
  });

  test('mail to an address without a right signature is refused', async () => {
    const changed = channel.replace(/\.[a-z2-7]{16}@/, `.${'a'.repeat(16)}@`);
    const others = [
      changed,
      'support@in.example.com',
      'anybody@example.org',
      channel.replace(DOMAIN, 'example.com'),
    ];
    for (const to of others)
      expect(await send({ from: newAddress(), to })).toMatchObject({ responseCode: 550 });
  });

  test('an automatic reply is a note, and a closed conversation stays closed', async () => {
    const { from, conversation, reply } = await talk();
    expect(
      (await admin.post('/messages', { conversation, type: 'command', text: '/set status closed' })).status,
    ).toBe(201);
    const headers = { 'Auto-Submitted': 'auto-replied' };
    expect(await send({ from, ...replyTo(reply), text: 'I am away.', headers })).toBeNull();
    expect(await waitForText(conversation, 'I am away.')).toMatchObject({
      role: 'system',
      isBackchannel: true,
    });
    expect((await admin.get(`/conversations/${conversation}`)).body.status).toBe('closed');
  });

  /** Starts a bot that replies to each message of a contact by its webhook, until the test ends. */
  const startBot = async () => {
    const bot = await newUser(product, { role: 'bot' });
    const receiver = await startReceiver();
    receiver.behave((response, { method, body }) => {
      const { text, role } = method === 'POST' ? JSON.parse(body).data.message : {};
      const messages = [{ text: `Re: ${text}`, isBackchannel: false }];
      response.end(role === 'contact' ? JSON.stringify({ token: bot.token, messages }) : '');
    });
    const params = { url: receiver.url, events: ['message.create.contact'], user: bot.user };
    const { body } = await admin.post('/services', { name: 'Bot', type: 'webhook', params });
    expect(body.status).toBe('active');
    onTestFinished(async () => {
      await admin.request('DELETE', `/services/${body.id}`);
      await receiver.close();
    });
  };
  /** Returns the nth mail of the product to an address, from 1. */
  const mailTo = (address: string, nth: number) => eventually(() => server.sentTo(address)[nth - 1]?.mail);
  const AWAY = 'I am out of the office until Monday.';

  test.each([
    ['at once', ['robot 1', 'robot 2', 'robot 3'], 0],
    ['a minute later, with the same text', ['Is the lamp red?', AWAY, AWAY], 60_000],
  ])(
    'two robots that do not mark their mails exchange two mails if they reply %s',
    async (_, texts, paceMs) => {
      await startBot();
      const from = newAddress();
      const [first = '', ...replies] = texts;
      expect(await send({ from, text: first })).toBeNull();
      const { conversation } = await findContact(from);
      for (const [at, text] of replies.entries()) {
        const mail = await mailTo(from, at + 1);
        await dateBack(conversation, paceMs);
        expect(await send({ from, ...replyTo(mail), text })).toBeNull();
      }
      const note = await eventually(async () =>
        (await messagesOf(conversation)).find(({ role }) => role === 'system'),
      );
      expect(note).toMatchObject({ text: texts.at(-1), isBackchannel: true, meta: { email: { from } } });
      // The bot still replies to others, and the mail of an agent follows every mail of the bot.
      const other = newAddress();
      expect(await send({ from: other, text: 'Is anybody there?' })).toBeNull();
      expect((await mailTo(other, 1)).text?.trim()).toBe('Re: Is anybody there?');
      await admin.post('/messages', { conversation, text: 'I am an agent.', role: 'agent' });
      await mailTo(from, 3);
      expect(server.sentTo(from).map(({ mail }) => mail.text?.trim())).toEqual([
        `Re: ${texts[0]}`,
        `Re: ${texts[1]}`,
        'I am an agent.',
      ]);
    },
  );

  test('the replies of a person to a bot, two of them the same short answer, are messages of the contact', async () => {
    await startBot();
    const from = newAddress();
    expect(await send({ from, text: 'Is the lamp red?' })).toBeNull();
    const { conversation } = await findContact(from);
    const texts = ['Yes, please', 'Yes, please', 'I ordered the lamp with the number 17.'];
    for (const [at, text] of texts.entries()) {
      const mail = await mailTo(from, at + 1);
      await dateBack(conversation, 60_000);
      expect(await send({ from, ...replyTo(mail), text })).toBeNull();
    }
    await mailTo(from, 4);
    const roles = (await messagesOf(conversation)).map(({ role }) => role);
    expect(roles).toEqual(Array.from({ length: 4 }, () => ['contact', 'bot']).flat());
  });
  /** Changes how long ago the bot wrote, so that the pace does not depend on the machine. */
  const dateBack = async (conversation: string, ms: number) => {
    const createdAt = new Date(Date.now() - ms);
    await store
      .db()
      .collection('messages')
      .updateMany({ conversation, role: 'bot' }, { $set: { createdAt } });
  };

  test('a bounce fails its message, and the next reply is refused', async () => {
    const { conversation, message, reply } = await talk();
    const report = [
      'From: MAILER-DAEMON@mail.example.net',
      `To: ${channel}`,
      'Subject: Undelivered Mail Returned to Sender',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'The mail could not be delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mail.example.net',
      '',
      'Final-Recipient: rfc822; somebody@sender.example',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${reply.messageId}`,
      '--b--',
      '',
    ].join('\r\n');
    expect(await sendRaw(report, '')).toBeNull();
    const { delivery } = await untilDelivery(admin, message, 'failed');
    expect(delivery.error).toEqual({ code: '5.1.1', message: '550 5.1.1 User unknown' });
    const refused = await eventually(async () => {
      const answer = await admin.post('/messages', { conversation, text: 'again', role: 'agent' });
      return answer.status === 422 && answer;
    });
    expect(refused.body.code).toBe('unreachable');
    expect(await findContactsNamed('mailer-daemon@mail.example.net')).toEqual([]);
  });
  const findContactsNamed = async (email: string) =>
    (await admin.get(`/contacts?profile.email=${encodeURIComponent(email)}`)).body as unknown[];

  test('attachments are files of the conversation', async () => {
    const from = newAddress();
    const attachments = [{ filename: 'lamp.png', content: PNG }];
    expect(await send({ from, text: 'See the picture', attachments })).toBeNull();
    const { conversation } = await findContact(from);
    const picture = await eventually(async () =>
      (await messagesOf(conversation)).find(({ contentType }) => contentType === 'image/png'),
    );
    expect(picture).toMatchObject({
      role: 'contact',
      meta: { media: { name: 'lamp.png', bytes: PNG.length } },
    });
    expect(Buffer.from(await (await fetch(picture.text as string)).arrayBuffer())).toEqual(PNG);
  });

  test('a mail over 25 MiB is refused with 552, and the next mail is taken', async () => {
    const from = newAddress();
    const content = Buffer.alloc(20 * 1024 * 1024);
    const large = await send({ from, attachments: [{ filename: 'large.bin', content }] });
    expect(large).toMatchObject({ responseCode: 552 });
    expect(await send({ from, text: 'small' })).toBeNull();
    await waitForText((await findContact(from)).conversation, 'small');
  });

  const countRows = async (status = '') => {
    const query = `service=${service}&direction=in&limit=1${status && `&status=${status}`}`;
    return Number((await admin.get(`/deliveries?${query}`)).headers.get('X-Total'));
  };
  /** Returns the CPU time of the event loop of a process. Zero on systems other than Linux. */
  const readLoop = ({ pid }: NodeProcess) => readThreadTimes([pid]).get(String(pid)) ?? 0;
  /**
   * Sends a mail, waits until its row ends, and returns the CPU time of the busier event loop: of
   * the API until it confirms the mail, and of the worker until the row ends.
   */
  const measureMail = async (raw: string | Buffer) => {
    const { api, worker } = product;
    const rows = await countRows();
    const before = [readLoop(api), readLoop(worker)] as const;
    expect(await sendRaw(raw)).toBeNull();
    const apiMs = readLoop(api) - before[0];
    await eventually(async () => (await countRows()) > rows && (await countRows('pending')) === 0);
    expect(await countRows()).toBe(rows + 1);
    return Math.max(apiMs, readLoop(worker) - before[1]);
  };

  test('each broken mail is one row, a message or a failure with its reason, and no event loop is busy with it for long', async () => {
    const honest = (at: number) =>
      `From: ${newAddress()}\r\nSubject: Honest ${at}\r\n\r\nIs the lamp red?\r\n`;
    const honestMs: number[] = [];
    for (let at = 0; at < 5; at += 1) honestMs.push(await measureMail(honest(at)));
    const usualMs = honestMs.toSorted((one, other) => one - other)[2] ?? 0;
    const broken = listBrokenMails();
    expect(broken.length).toBeGreaterThanOrEqual(40);
    for (const raw of broken) {
      const all: number[] = [];
      while (all.length < MEASUREMENTS && !all.some((ms) => ms <= MAX_RATIO * usualMs)) {
        // Empty lines make a copy another mail. SMTP itself may add one line break.
        const ending = Buffer.from('\r\n'.repeat(2 * all.length));
        all.push(await measureMail(Buffer.concat([Buffer.from(raw), ending])));
      }
      expect(Math.min(...all), raw.toString().slice(0, 200)).toBeLessThanOrEqual(MAX_RATIO * usualMs);
    }
    for (const { id } of await rowsIn('failed')) {
      const { attempts } = (await admin.get(`/deliveries/${id}`)).body;
      expect(attempts).toMatchObject([{ outcome: 'refused', reason: expect.stringMatching(/\w/) }]);
    }
  });

  test('an inline picture is a file of the conversation, and its mark is not in the text', async () => {
    const from = newAddress();
    const attachments = [{ filename: 'lamp.png', content: PNG, cid: 'lamp@sender.example' }];
    const html = '<p>See the lamp:</p><p><img src="cid:lamp@sender.example" alt="lamp"></p><p>Is it red?</p>';
    expect(await send({ from, text: '', html, attachments })).toBeNull();
    const { conversation } = await findContact(from);
    const [text, picture] = await eventually(async () => {
      const messages = await messagesOf(conversation);
      return messages.length > 1 && messages;
    });
    expect(text.text).toBe('See the lamp:\n\nlamp\n\nIs it red?');
    expect(picture).toMatchObject({ contentType: 'image/png', meta: { media: { name: 'lamp.png' } } });
    expect(Buffer.from(await (await fetch(picture.text as string)).arrayBuffer())).toEqual(PNG);
  });
});
