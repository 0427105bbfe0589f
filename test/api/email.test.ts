import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { isSignedMail } from '../support/dkim.ts';
import { eventually } from '../support/eventually.ts';
import { PNG, upload } from '../support/files.ts';
import { MailServer } from '../support/mail-server.ts';
import type { ReceivedMail } from '../support/mail-server.ts';
import type { Product } from '../support/product.ts';
import { untilActive, untilVerified } from '../support/services.ts';
import { sharedApi } from '../support/shared-servers.ts';

/** Section 15.10 of the specification. The mail server of the tests is smtp-server. */
describe('mail by an SMTP server', () => {
  let product: Product;
  let admin: ApiClient;
  let server: MailServer;
  let service: string;
  let people = 0;

  beforeAll(async () => {
    product = await sharedApi('email');
    ({ admin } = product);
    server = await new MailServer().start();
    const made = await register({ fromName: 'Example support' });
    expect(made.status).toBe(201);
    service = (await untilActive(admin, made)).id as string;
  });
  afterAll(async () => {
    await admin.request('DELETE', `/services/${service}`);
    await server.close();
    await product.close();
  });

  const register = (params: object = {}) =>
    admin.post('/services', { name: 'Mail', type: 'email', params: server.params(params) });
  const newAddress = () => `person${(people += 1)}@receiver.example`;
  /** Posts a message to a new contact, and returns its id and its conversation. */
  const write = async (email: string, message: object, by = service) => {
    const { status, body } = await admin.post('/conversations', {
      type: 'contact',
      name: 'Order 17',
      contact: { profile: { email } },
      messages: [{ role: 'agent', service: by, ...message }],
    });
    expect([status, body]).toMatchObject([201, { messages: [expect.any(String)] }]);
    return { conversation: body.id as string, message: body.messages[0] as string };
  };
  const reply = async (conversation: string, text: string, more: object = {}) => {
    const { status, body } = await admin.post('/messages', { conversation, text, role: 'agent', ...more });
    expect(status).toBe(201);
    return body.id as string;
  };
  const mailsTo = (address: string, count: number): Promise<ReceivedMail[]> =>
    eventually(() => {
      const found = server.sentTo(address);
      return found.length >= count && found;
    });
  const receive = (email: string, text: string, meta: object) =>
    admin.post(`/services/${service}/inbound`, {
      entries: [{ id: randomUUID(), from: { id: email, email }, messages: [{ text, meta }] }],
    });

  test('a message becomes one mail with text and HTML, from the address of the channel', async () => {
    const address = newAddress();
    const { conversation, message } = await write(address, { text: 'Hello <Ada>\nhttps://a.example/x' });
    const delivered = await untilDelivery(admin, message, 'sent');
    expect(delivered).toMatchObject({ serviceType: 'email', touchpoint: 'email' });
    const messageId = delivered.delivery.externalId as string;
    expect(messageId).toMatch(new RegExp(`^<${conversation}\\.${message}\\.[a-z2-7]{16}@example\\.com>$`));
    const [{ from, to, mail }] = (await mailsTo(address, 1)) as [ReceivedMail];
    expect([from, to]).toEqual(['support@example.com', [address]]);
    expect(mail.from?.value).toEqual([{ name: 'Example support', address: 'support@example.com' }]);
    expect(mail).toMatchObject({
      messageId,
      subject: 'Order 17',
      references: `<${conversation}@example.com>`,
    });
    expect(mail.text?.trim()).toBe('Hello <Ada>\nhttps://a.example/x');
    expect(mail.html).toContain('Hello &lt;Ada&gt;<br>');
    expect([mail.headers.has('auto-submitted'), mail.replyTo]).toEqual([false, undefined]);
    const { body } = await admin.get(`/deliveries?service=${service}&conversation=${conversation}`);
    // The attempt is stored after the receipt.
    const log = await eventually(async () => {
      const { body: shown } = await admin.get(`/deliveries/${body[0].id}`);
      return shown.attempts.length > 0 && shown;
    });
    expect(log.attempts).toMatchObject([{ outcome: 'delivered', response: expect.stringMatching(/^250/) }]);
    expect(JSON.stringify(log)).not.toContain(server.password);
  });

  test('mails of a conversation are one thread, which continues the mail of the contact', async () => {
    const address = newAddress();
    const { conversation, message } = await write(address, { text: 'one' });
    await untilDelivery(admin, message, 'sent');
    const email = { messageId: '<reply@receiver.example>', subject: 'Re: Order 17' };
    expect((await receive(address, 'two', { email })).status).toBe(202);
    await eventually(async () => {
      const { body } = await admin.get(`/conversations/${conversation}/messages`);
      return (body as { text: string }[]).some(({ text }) => text === 'two');
    });
    await untilDelivery(admin, await reply(conversation, 'three'), 'sent');
    const [first, second] = (await mailsTo(address, 2)).map(({ mail }) => mail);
    expect(second).toMatchObject({
      subject: 'Re: Order 17',
      inReplyTo: '<reply@receiver.example>',
      references: [`<${conversation}@example.com>`, first?.messageId, '<reply@receiver.example>'],
    });
  });

  test('the mail of a bot is marked as automatic', async () => {
    const address = newAddress();
    const { message } = await write(address, { text: 'beep', role: 'bot', isBackchannel: false });
    await untilDelivery(admin, message, 'sent');
    const [{ mail }] = (await mailsTo(address, 1)) as [ReceivedMail];
    expect(mail.headers.get('auto-submitted')).toBe('auto-replied');
    expect(mail.headers.get('x-auto-response-suppress')).toBe('All');
  });

  test('a file is attached, and a large file is a link', async () => {
    const address = newAddress();
    const { conversation, message } = await write(address, { text: 'See the files' });
    await untilDelivery(admin, message, 'sent');
    const put = (body: Buffer, name: string) =>
      upload(`${product.base}/files?conversation=${conversation}&name=${name}`, body, {
        token: product.token,
      });
    const small = (await put(PNG, 'lamp.png')).body;
    const large = (await put(Buffer.alloc(11 * 1024 * 1024, 'a'), 'large.txt')).body;
    for (const { url } of [small, large]) await untilDelivery(admin, await reply(conversation, url), 'sent');
    const [, picture, link] = (await mailsTo(address, 3)).map(({ mail }) => mail);
    expect(picture?.attachments).toMatchObject([
      { filename: 'lamp.png', contentType: 'image/png', content: PNG },
    ]);
    expect(link?.attachments).toEqual([]);
    expect(link?.text).toContain(`large.txt: ${large.url}`);
  });

  test('an unknown recipient fails the message at once, and the next reply is refused', async () => {
    const address = newAddress();
    server.next.set(address, [{ recipient: { responseCode: 550, message: '5.1.1 unknown user' } }]);
    const { conversation, message } = await write(address, { text: 'lost' });
    const { delivery } = await untilDelivery(admin, message, 'failed');
    expect(delivery.error).toMatchObject({ code: '5.1.1', message: expect.stringContaining('unknown user') });
    const refused = await admin.post('/messages', { conversation, text: 'again', role: 'agent' });
    expect([refused.status, refused.body.code]).toEqual([422, 'unreachable']);
    expect((await admin.get(`/services/${service}`)).body.status).toBe('active');
  });

  test('a temporary refusal and a lost reply are sent again with the same Message-ID, in order', async () => {
    const address = newAddress();
    server.next.set(address, [
      { recipient: { responseCode: 451, message: '4.3.0 try later' } },
      { isCut: true },
    ]);
    const { conversation, message } = await write(address, { text: 'one' });
    const second = await reply(conversation, 'two');
    await untilDelivery(admin, second, 'sent');
    await untilDelivery(admin, message, 'sent');
    const mails = server.sentTo(address).map(({ mail }) => mail);
    const texts = mails.map(({ text }) => text?.trim());
    expect([...new Set(texts)]).toEqual(['one', 'two']);
    // The first mail was taken at least twice: once without a reply.
    const [first, ...again] = mails.slice(0, texts.indexOf('two')).map(({ messageId }) => messageId);
    expect(again.length).toBeGreaterThanOrEqual(1);
    expect(new Set(again)).toEqual(new Set([first]));
  });

  test('a password that stops working fails the channel, and a new password sends what waited', async () => {
    const own = await new MailServer().start();
    const made = await admin.post('/services', { name: 'Own', type: 'email', params: own.params() });
    const id = (await untilActive(admin, made)).id as string;
    own.password = 'another one';
    const { message } = await write(newAddress(), { text: 'waits' }, id);
    const failed = await eventually(async () => {
      const { body } = await admin.get(`/services/${id}`);
      return body.status === 'failed' && body;
    });
    expect(failed.statusReason).toContain('credentials invalid');
    const wrong = await admin.request('PATCH', `/services/${id}`, {
      params: own.params({ password: 'wrong' }),
    });
    expect([wrong.status, wrong.body.details]).toMatchObject([422, [{ path: 'params.password' }]]);
    const mended = await admin.request('PATCH', `/services/${id}`, { params: own.params() });
    expect(mended.status).toBe(200);
    await untilActive(admin, mended);
    await untilDelivery(admin, message, 'sent');
    await admin.request('DELETE', `/services/${id}`);
    await own.close();
  });

  test('the login is checked before the channel is stored, and the password is never shown', async () => {
    const made = await register();
    const body = await untilActive(admin, made);
    expect(body).toMatchObject({
      ...{ touchpoint: 'email', secrets: ['password'] },
      verifiedAs: 'support@example.com by 127.0.0.1',
    });
    expect(body.inboundUrl).toMatch(new RegExp(`/channels/${body.id}/[a-z2-7]{16}/mime$`));
    const { url, address, username } = server.params();
    expect(body.params).toEqual({ url, address, username });
    const kept = await admin.request('PATCH', `/services/${body.id}`, { params: { url, address, username } });
    expect(kept.status).toBe(200);
    await untilActive(admin, kept);
    const listed = await admin.get('/services');
    for (const one of [made.body, body, kept.body, listed.body])
      expect(JSON.stringify(one)).not.toContain(server.password);
    expect((await admin.get(`/services?params.password=${server.password}`)).status).toBe(400);
    expect((await admin.request('DELETE', `/services/${body.id}`)).status).toBe(204);
  });

  test.each([
    [422, 'params.password', { password: 'wrong' }],
    [400, 'params.password', { password: null }],
    [400, 'params.password', { password: 'two\nlines' }],
    [400, 'params.address', { address: 'nobody' }],
    [400, 'params.address', { address: null }],
    [400, 'params.username', { username: null }],
    [400, 'params.url', { url: 'https://smtp.example.com' }],
    [400, 'params.url', { url: 'smtp://user:secret@127.0.0.1' }],
    [400, 'params.fromName', { fromName: 'a\r\nBcc: b@example.com' }],
    [400, 'params.signature', { signature: 'a\u0007' }],
    [400, 'params.signature', { signature: 'x'.repeat(1_001) }],
    [422, 'params.number', { number: '+31201234567' }],
    [422, 'params.touchpoint', { touchpoint: 'email' }],
    [422, 'params.secret', { secret: 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz' }],
    [422, 'params.events', { events: ['message'] }],
  ])('a wrong param is refused with %i at %s', async (status, path, params) => {
    const refused = await register(params);
    expect([refused.status, refused.body.details]).toMatchObject([status, [{ path }]]);
  });

  test.each(['webhook', 'api', 'twilio'])('a service of type %s has no SMTP server', async (type) => {
    const { url, address } = server.params();
    for (const params of [{ url }, { url: 'https://example.com', address }]) {
      const { status } = await admin.post('/services', { name: 'other', type, params });
      expect([400, 422]).toContain(status);
    }
  });

  test('a server that cannot be reached leaves the channel failed with the reason', async () => {
    const gone = await new MailServer().start();
    await gone.close();
    const made = await admin.post('/services', { name: 'Gone', type: 'email', params: gone.params() });
    const { id, status, statusReason } = await untilVerified(admin, made);
    expect([made.status, status]).toEqual([201, 'failed']);
    expect(statusReason).toContain('ECONNREFUSED');
    await admin.request('DELETE', `/services/${id}`);
  });

  test('a private address is not contacted', async () => {
    const made = await register({ url: 'smtp://10.0.0.1:25' });
    const { status, statusReason } = await untilVerified(admin, made);
    expect([made.status, status]).toEqual([201, 'failed']);
    expect(statusReason).toContain('not public');
    await admin.request('DELETE', `/services/${made.body.id}`);
  });

  test('with a DKIM selector, mails are signed with a key that is kept, and the record of its public key is shown', async () => {
    const { body } = await register({ dkimSelector: 'Parlance' });
    expect(body.dkimRecord).toEqual({
      name: 'parlance._domainkey.example.com',
      value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/),
    });
    expect(body.secrets).toEqual(['password']);
    const to = newAddress();
    const text = 'Ünïcode,  two blanks \n\nand an empty line\n\n';
    const { conversation } = await write(to, { text }, body.id as string);
    const params = server.params({ dkimSelector: 'parlance', fromName: 'Support' });
    const changed = await admin.request('PATCH', `/services/${body.id}`, { params });
    expect(changed.body.dkimRecord).toEqual(body.dkimRecord);
    await mailsTo(to, 1);
    await reply(conversation, 'Signed, too');
    const { name, value } = body.dkimRecord;
    const mails = await mailsTo(to, 2);
    expect(mails.map(({ raw }) => isSignedMail(raw, { [name]: value }))).toEqual([true, true]);
    const [{ raw } = { raw: Buffer.alloc(0) }] = mails;
    const forged = Buffer.from(raw.toString('latin1').replace('Order 17', 'Order 18'), 'latin1');
    expect(isSignedMail(forged, { [name]: value })).toBe(false);
    await admin.request('DELETE', `/services/${body.id}`);
  });

  test('a mail has the signature of the channel, and the name and the logo of its organization', async () => {
    const logo = 'https://example.com/logo.png?a=1&b=2';
    const branded = { name: 'branded', displayName: 'Acme "Bikes"', logo };
    const { id: organization } = (await admin.post('/organizations', branded)).body;
    const params = server.params({ signature: 'Acme <Bikes>\nUtrecht \n' });
    const made = await admin.post('/services', { organization, name: 'Mail', type: 'email', params });
    expect(made.body.params.signature).toBe('Acme <Bikes>\nUtrecht');
    const to = newAddress();
    const { status } = await admin.post('/conversations', {
      ...{ organization, type: 'contact', contact: { profile: { email: to } } },
      messages: [{ text: 'Hello', role: 'agent', service: made.body.id }],
    });
    expect(status).toBe(201);
    const [{ mail }] = (await mailsTo(to, 1)) as [ReceivedMail];
    expect(mail.from?.value).toEqual([{ name: 'Acme "Bikes"', address: 'support@example.com' }]);
    expect(mail.text).toContain('Hello\n\n-- \nAcme <Bikes>\nUtrecht');
    expect(mail.html).toContain('<p>-- <br>\nAcme &lt;Bikes&gt;<br>\nUtrecht</p>');
    expect(mail.html).toContain(
      'src="https://example.com/logo.png?a=1&amp;b=2" alt="Acme &quot;Bikes&quot;"',
    );
    await admin.request('DELETE', `/services/${made.body.id}`);
  });

  test('another DKIM selector makes another key, and without a selector mails are not signed', async () => {
    const { body } = await register({ dkimSelector: 'one' });
    const patch = (more: object) =>
      admin.request('PATCH', `/services/${body.id}`, { params: server.params(more) });
    const other = await patch({ dkimSelector: 'two' });
    expect(other.body.dkimRecord.name).toBe('two._domainkey.example.com');
    expect(other.body.dkimRecord.value).not.toBe(body.dkimRecord.value);
    expect((await patch({})).body).not.toHaveProperty('dkimRecord');
    const to = newAddress();
    await write(to, { text: 'Not signed' }, body.id as string);
    const [mail] = (await mailsTo(to, 1)) as [ReceivedMail];
    expect(mail.raw.toString()).not.toMatch(/^DKIM-Signature:/im);
    const wrong = await register({ dkimSelector: 'a b' });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'params.dkimSelector']);
    await admin.request('DELETE', `/services/${body.id}`);
  });
});
