import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConversation, untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import type { ReceivedMail } from '../support/mail-server.ts';
import type { OwnProduct } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';

/** Section 15.12 of the specification. */
describe('mail that a provider posts', () => {
  let product: OwnProduct;
  let admin: ApiClient;
  let server: MailServer;
  let people = 0;

  beforeAll(async () => {
    product = await startApi('email_posts', { MAIL_DOMAIN: 'in.example.com' });
    ({ admin } = product);
    server = await new MailServer().start();
  });
  afterAll(async () => {
    await server.close();
    await product.close();
  });

  const newAddress = () => `person${(people += 1)}@sender.example`;
  const messagesOf = async (conversation: string) =>
    (await admin.get(`/conversations/${conversation}/messages?sort=sequence`)).body as any[];
  const textsOf = async (conversation: string) =>
    (await messagesOf(conversation)).map(({ text }) => text as string);

  /** Posts of whole mails by provider. */
  const POSTS = {
    Mailgun: (from: string, to: string, mail: Buffer) =>
      toForm({ recipient: to, sender: from, 'body-mime': mail }),
    SendGrid: (from: string, to: string, mail: Buffer) =>
      toForm({ to, from, envelope: JSON.stringify({ to: [to], from }), email: mail }),
    Postmark: (from: string, to: string, mail: Buffer) => ({
      type: 'application/json',
      body: Buffer.from(
        JSON.stringify({
          OriginalRecipient: to,
          FromFull: { Email: from },
          RawEmail: mail.toString('latin1'),
        }),
      ),
    }),
  };

  function toForm(fields: Record<string, string | Buffer>) {
    const parts = Object.entries(fields).flatMap(([name, value]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]);
    return {
      type: 'multipart/form-data; boundary=b',
      body: Buffer.concat([...parts, Buffer.from('--b--\r\n')]),
    };
  }

  /** Returns a channel whose mail a provider posts, and a function that posts to it. */
  async function newPostedChannel() {
    const address = 'sales@example.com';
    const service = { name: 'Sales', type: 'email', params: server.params({ address }) };
    const made = await untilActive(admin, await admin.post('/services', service));
    const { id, inboundUrl: url } = made as { id: string; inboundUrl: string };
    const post = (provider: keyof typeof POSTS, from: string, { to = address, text = 'Grüße' } = {}) => {
      // JSON carries no bytes of other charsets.
      const charset = provider === 'Postmark' ? 'utf-8' : 'iso-8859-1';
      const mail = `From: ${from}\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n${text}`;
      const { type, body: bytes } = POSTS[provider](from, to, Buffer.from(mail, 'latin1'));
      return fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(bytes) });
    };
    return { id, url, post };
  }

  test.each(Object.keys(POSTS) as (keyof typeof POSTS)[])(
    'a mail that %s posts is posted once, and the reply to an answer of an agent lands in its conversation',
    async (provider) => {
      const { post } = await newPostedChannel();
      const from = newAddress();
      for (const _ of [1, 2]) expect((await post(provider, from)).status).toBe(200);
      const conversation = await findConversation(admin, from);
      expect(await textsOf(conversation)).toEqual(['Grüße']);
      const { body } = await admin.post('/messages', { conversation, text: 'Hello.', role: 'agent' });
      await untilDelivery(admin, body.id as string, 'sent');
      const [answer] = server.sentTo(from) as [ReceivedMail];
      const reply = { to: answer.mail.replyTo?.text ?? '', text: 'From a colleague' };
      expect((await post(provider, newAddress(), reply)).status).toBe(200);
      await expect.poll(() => textsOf(conversation)).toEqual(['Grüße', 'Hello.', 'From a colleague']);
    },
  );

  test.each(Object.keys(POSTS) as (keyof typeof POSTS)[])(
    'a mail over 25 MiB that %s posts is 413, and nothing of it is stored',
    async (provider) => {
      const { id, post } = await newPostedChannel();
      const refused = await post(provider, newAddress(), { text: 'a'.repeat(25 * 1024 * 1024) });
      expect([refused.status, ((await refused.json()) as any).code]).toEqual([413, 'too_large']);
      expect((await admin.get(`/deliveries?service=${id}&direction=in`)).body).toEqual([]);
    },
  );

  test('a mail that a provider posts to a reply address with a wrong signature is posted in the name of its sender alone', async () => {
    const { post } = await newPostedChannel();
    const from = newAddress();
    expect((await post('Mailgun', from)).status).toBe(200);
    const conversation = await findConversation(admin, from);
    const { body } = await admin.post('/messages', { conversation, text: 'Hello.', role: 'agent' });
    await untilDelivery(admin, body.id as string, 'sent');
    const [answer] = server.sentTo(from) as [ReceivedMail];
    const to = answer.mail.replyTo?.text ?? '';
    const forged = to.replace(/\.[a-z2-7]{16}@/, `.${'a'.repeat(16)}@`);
    expect(forged).not.toBe(to);
    const other = newAddress();
    expect((await post('Mailgun', other, { to: forged, text: 'Let me in.' })).status).toBe(200);
    const own = await findConversation(admin, other);
    expect(own).not.toBe(conversation);
    expect(await messagesOf(own)).toMatchObject([{ text: 'Let me in.', role: 'contact' }]);
    expect(await textsOf(conversation)).toEqual(['Grüße', 'Hello.']);
  });

  test('a post of a provider without a whole mail is 400, and one to an address with a wrong signature is 404', async () => {
    const { url } = await newPostedChannel();
    const bodies = [
      ['application/json', '{"From":"a@example.com","TextBody":"Hello"}'],
      ['application/json', '{"RawEmail":7}'],
      ['application/json', '{'],
      ['application/json', 'null'],
      ['multipart/form-data; boundary=b', toForm({ text: 'Hello', envelope: '[' }).body.toString()],
      ['text/plain', 'x'],
    ] as const;
    for (const [type, body] of bodies) {
      const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
      expect([type, body, answer.status]).toEqual([type, body, 400]);
      expect(((await answer.json()) as any).details[0].path).toBe('body');
    }
    const wrong = [
      url.replace(/channels\/[0-9a-f]{24}/, `channels/${'f'.repeat(24)}`),
      url.replace(/[a-z2-7]{16}\/mime$/, `${'a'.repeat(16)}/mime`),
      url.replace(/\/[a-z2-7]{16}\/mime$/, '/mime'),
    ];
    for (const other of wrong) expect((await fetch(other, { method: 'POST' })).status).toBe(404);
  });

  test('a mail that a provider posts waits, and gets 503, while two other posts to its channel do not end', async () => {
    const { url, post } = await newPostedChannel();
    const unfinished = [1, 2].map(() => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '1000' };
      const request = httpRequest(url, { method: 'POST', headers }).on('error', () => undefined);
      request.write('--b');
      return request;
    });
    await eventually(async () => (await post('Mailgun', newAddress())).status === 503);
    unfinished.forEach((request) => request.destroy());
    await eventually(async () => (await post('Mailgun', newAddress())).status === 200);
  });
});
