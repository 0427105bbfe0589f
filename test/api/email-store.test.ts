import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { findConversation } from '../support/channels.ts';
import { MailServer } from '../support/mail-server.ts';
import type { OwnProduct } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { startApi } from '../support/shared-servers.ts';

let product: OwnProduct;
let bucket: Receiver;
let server: MailServer;
let port: number;

beforeAll(async () => {
  [bucket, server, port] = await Promise.all([
    startReceiver({ takesAll: true }),
    new MailServer().start(),
    freePort(),
  ]);
  product = await startApi('email_store', {
    ...{ MAIL_PORT: String(port), MAIL_DOMAIN: 'in.example.com' },
    ...{ FILES_S3_ENDPOINT: new URL(bucket.url).origin, FILES_S3_BUCKET: 'mails' },
    ...{ FILES_S3_ACCESS_KEY_ID: 'key', FILES_S3_SECRET_ACCESS_KEY: 'secret' },
  });
});
afterAll(async () => {
  await product.close();
  await Promise.all([bucket.close(), server.close()]);
});

/** Keeps what is put, and returns it. */
function keepContents(): Behaviour {
  const kept = new Map<string, string>();
  return (response, { method, path, body }) => {
    const [name = ''] = path.split('?');
    if (method === 'PUT') kept.set(name, body);
    response.writeHead(200, { etag: '"1"' }).end(method === 'GET' ? kept.get(name) : '');
  };
}

/** Section 15.11 of the specification. */
test('a mail that cannot be stored is refused with 451, and is posted once the mail server repeats it', async () => {
  const { admin } = product;
  const params = server.params();
  const { body: channel } = await admin.post('/services', { name: 'Mail', type: 'email', params });
  const send = () =>
    nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
      from: 'ada@sender.example',
      to: channel.inboundAddress,
      subject: 'Lamp',
      text: 'It is red.',
    });
  bucket.behave(respondWith(403));
  await expect(send()).rejects.toMatchObject({ responseCode: 451 });
  expect((await admin.get(`/deliveries?service=${channel.id}&direction=in`)).body).toEqual([]);
  bucket.behave(keepContents());
  await send();
  const conversation = await findConversation(admin, 'ada@sender.example');
  const { body: messages } = await admin.get(`/conversations/${conversation}/messages`);
  expect(messages).toMatchObject([{ text: 'It is red.', role: 'contact' }]);
});
