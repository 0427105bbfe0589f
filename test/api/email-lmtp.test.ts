import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateCertificates } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import type { OwnProduct } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Section 15.11 of the specification. */
describe('mail that Parlance receives by LMTP with TLS', () => {
  let product: OwnProduct;
  let server: MailServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let authority: string;
  let channel: string;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-mail-tls-');
    ({ ca: authority } = await generateCertificates(folder.path));
    product = await startApi('email_lmtp', {
      ...{ MAIL_PORT: '0', MAIL_DOMAIN: 'in.example.com', MAIL_PROTOCOL: 'lmtp' },
      MAIL_TLS_CERT_PATH: join(folder.path, 'certificate.pem'),
      MAIL_TLS_KEY_PATH: join(folder.path, 'key.pem'),
    });
    server = await new MailServer().start();
    const params = server.params();
    const made = await product.admin.post('/services', { name: 'Mail', type: 'email', params });
    channel = (await untilActive(product.admin, made)).inboundAddress;
  });
  afterAll(async () => {
    await server.close();
    await product.close();
    await folder.remove();
  });

  const send = (to: string, options: object = {}) =>
    nodemailer
      .createTransport({
        ...{ host: 'localhost', port: Number(product.environment['MAIL_PORT']), lmtp: true },
        ...{ requireTLS: true, tls: { ca: authority } },
        ...options,
      })
      .sendMail({ from: 'ada@sender.example', to, subject: 'Lamp', text: 'Hello by LMTP' });

  test('a mail by LMTP over TLS is posted as the contact', async () => {
    await send(channel);
    const messages = await eventually(async () => {
      const [contact] = (await product.admin.get('/contacts?profile.email=ada@sender.example')).body;
      if (contact?.conversation === undefined) return null;
      const { body } = await product.admin.get(`/conversations/${contact.conversation}/messages`);
      return body.length > 0 && body;
    });
    expect(messages).toMatchObject([{ text: 'Hello by LMTP', role: 'contact', touchpoint: 'email' }]);
  });

  test('a mail to an unknown address is refused, and a client of SMTP is refused', async () => {
    await expect(send('nobody@in.example.com')).rejects.toMatchObject({ responseCode: 550 });
    await expect(send(channel, { lmtp: false })).rejects.toMatchObject({ responseCode: 500 });
  });
});
