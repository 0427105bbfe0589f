import nodemailer from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { PNG } from '../support/files.ts';
import { MailServer } from '../support/mail-server.ts';
import type { ReceivedMail } from '../support/mail-server.ts';
import type { OwnProduct } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';

const DOMAIN = 'in.example.com';

/** Section 15.11 of the specification. The sender is nodemailer. */
describe('mail that Parlance receives', () => {
  let product: OwnProduct;
  let admin: ApiClient;
  let server: MailServer;
  let service: string;
  let channel: string;
  let people = 0;

  beforeAll(async () => {
    product = await startApi('email_inbound', { MAIL_PORT: '0', MAIL_DOMAIN: DOMAIN });
    ({ admin } = product);
    server = await new MailServer().start();
    const made = await admin.post('/services', { name: 'Mail', type: 'email', params: server.params() });
    expect(made.status).toBe(201);
    ({ id: service, inboundAddress: channel } = await untilActive(admin, made));
  });
  afterAll(async () => {
    await server.close();
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

  test('two robots that do not mark their mails exchange two mails', async () => {
    const from = newAddress();
    const replyOfBot = async (conversation: string, text: string) => {
      const reply = { conversation, text, role: 'bot', isBackchannel: false };
      const { body } = await admin.post('/messages', reply);
      await untilDelivery(admin, body.id as string, 'sent');
      return server.sentTo(from).at(-1)!.mail;
    };
    expect(await send({ from, text: 'robot 1' })).toBeNull();
    const { conversation } = await findContact(from);
    for (const n of [2, 3]) {
      expect((await waitForText(conversation, `robot ${n - 1}`)).role).toBe('contact');
      const reply = await replyOfBot(conversation, `answer ${n - 1}`);
      expect(await send({ from, ...replyTo(reply), text: `robot ${n}` })).toBeNull();
    }
    expect(await waitForText(conversation, 'robot 3')).toMatchObject({ role: 'system', isBackchannel: true });
    expect(server.sentTo(from)).toHaveLength(2);
  });

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

  test('each broken mail is a message or one failed row with its reason, and the next mail is taken', async () => {
    const broken = listBrokenMails();
    expect(broken.length).toBeGreaterThanOrEqual(40);
    for (const raw of broken) expect(await sendRaw(raw)).toBeNull();
    const from = newAddress();
    expect(await send({ from, text: 'after them' })).toBeNull();
    await waitForText((await findContact(from)).conversation, 'after them');
    await eventually(async () => (await rowsIn('pending')).length === 0);
    for (const { id } of await rowsIn('failed')) {
      const { attempts } = (await admin.get(`/deliveries/${id}`)).body;
      expect(attempts).toMatchObject([{ outcome: 'refused', reason: expect.stringMatching(/\w/) }]);
    }
  });
});

function listBrokenMails(): (string | Buffer)[] {
  const head = 'From: Broken <broken@sender.example>\r\nSubject: Broken\r\n';
  const mixed = `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n`;
  const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const nested = (depth: number) => {
    const open = Array.from(
      { length: depth },
      (_, at) => `Content-Type: multipart/mixed; boundary="n${at}"\r\n\r\n--n${at}\r\n`,
    );
    return `${head}${open.join('')}Content-Type: text/plain\r\n\r\ndeep\r\n`;
  };
  const types = [
    'text/plain; charset=nonsense',
    'text/plain; charset=',
    'text/html; charset="utf-7"',
    '/',
    'a/b/c; =',
    ';;;',
  ];
  const encodings = ['base64', 'quoted-printable', '7bit', 'x-unknown', 'uuencode', ''];
  const odd = [
    '',
    '\r\n',
    '\0\0\0',
    'no headers at all',
    ':\r\n:\r\n\r\n',
    'From\r\n\r\nx',
    `${head}\r\n`,
    head,
    '\r\n\r\nonly a body',
  ];
  return [
    ...odd.map((raw) => (raw === '' ? ' ' : raw)),
    ...types.map((type) => `${head}Content-Type: ${type}\r\n\r\nbody \xe9\r\n`),
    ...encodings.map(
      (encoding) => `${head}Content-Transfer-Encoding: ${encoding}\r\n\r\n=ZZ=\r\n====\r\n%%%\r\n`,
    ),
    ...['', '=?', '=?utf-8?B?', '=?utf-8?Q?=ZZ?=', '=?x?x?x?=', `=?utf-8?B?${'A'.repeat(5_000)}`].map(
      (subject) => `From: broken@sender.example\r\nSubject: ${subject}\r\n\r\nx\r\n`,
    ),
    ...['', '<', '<>', '@', 'a@', '@b', '"a" <a@b', 'a@b, c@d', 'group: a@b;', `${'a'.repeat(5_000)}@b`].map(
      (from) => `From: ${from}\r\n\r\nx\r\n`,
    ),
    mixed,
    `${mixed}--b--\r\n`,
    `${mixed}${part('text/plain', 'no end')}`,
    `${mixed}${part('message/rfc822', 'Subject: inner\r\n\r\ninner')}--b--\r\n`,
    `${mixed}${part('text/plain; name="../../etc/passwd"', 'x')}--b--\r\n`,
    `${mixed}${part('text/plain', 'x').repeat(5_000)}--b--\r\n`,
    `${head}Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n--\r\n`,
    nested(100),
    nested(1_000),
    `${head}\r\n${'\r\n'.repeat(30_000)}end\r\n`,
    `${head}\r\n${'> '.repeat(100_000)}\r\n`,
    `${head}${'X-Many: header\r\n'.repeat(20_000)}\r\nx\r\n`,
    `${head}X-Long: ${'a'.repeat(900_000)}\r\n\r\nx\r\n`,
    `${head}Content-Type: text/html\r\n\r\n${'<div>'.repeat(20_000)}x\r\n`,
    `${head}Content-Type: text/html\r\n\r\n<style>${'a{}'.repeat(100_000)}\r\n`,
    Buffer.concat([
      Buffer.from(`${head}\r\n`),
      Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) % 256)),
    ]),
  ];
}
