import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConversation, untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { Dovecot, IS_WITHOUT_DOVECOT, NEEDS_DOVECOT } from '../support/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

const DAY_MS = 24 * 3_600_000;
/** More than the connections of one organization. */
const MAILBOXES = 40;

/** Section 15.13 of the specification. The IMAP server is Dovecot. */
describe.skipIf(IS_WITHOUT_DOVECOT)(`a channel that reads a mailbox${NEEDS_DOVECOT}`, () => {
  let product: OwnProduct;
  let worker: NodeProcess;
  let admin: ApiClient;
  let smtp: MailServer;
  let people = 0;

  beforeAll(async () => {
    product = await startApi('email_imap', { MAILBOX_POLL_MS: '500' });
    ({ admin, worker } = product);
    smtp = await new MailServer().start();
  });
  afterAll(async () => {
    await smtp.close();
    await worker.stop();
    await product.close();
  });

  const newAddress = () => `person${(people += 1)}@sender.example`;
  const register = (imapUrl: string, params: object = {}) =>
    admin.post('/services', { name: 'Mail', type: 'email', params: smtp.params({ imapUrl, ...params }) });
  const findService = async (id: string) => (await admin.get(`/services/${id}`)).body;
  const untilMailbox = (id: string, status: string) =>
    eventually(async () => {
      const { mailbox } = await findService(id);
      return mailbox?.status === status && (mailbox as { status: string; reason?: string });
    });
  /** Returns a mailbox, its channel, and a function that removes both. */
  const open = async (deliverBefore: (dovecot: Dovecot) => Promise<void> = () => Promise.resolve()) => {
    const dovecot = await new Dovecot().start(smtp.password);
    await deliverBefore(dovecot);
    const made = await register(dovecot.url);
    expect(made.status).toBe(201);
    const service = (await untilActive(admin, made)).id as string;
    await untilMailbox(service, 'active');
    const close = async () => {
      await admin.request('DELETE', `/services/${service}`);
      await dovecot.close();
    };
    return { dovecot, service, close };
  };
  const textsOf = async (conversation: string) => {
    const { body } = await admin.get(`/conversations/${conversation}/messages?sort=sequence`);
    return (body as { text: string }[]).map(({ text }) => text);
  };
  const untilTexts = (from: string, texts: string[]) =>
    eventually(async () => {
      const found = await textsOf(await findConversation(admin, from));
      return found.length >= texts.length && found;
    }).then((found) => expect(found).toEqual(texts));
  const rowsOf = async (service: string, status: string) =>
    (await admin.get(`/deliveries?service=${service}&direction=in&status=${status}&limit=200`)).body as {
      id: string;
    }[];
  const reasonsOf = async (service: string) => {
    const rows = await rowsOf(service, 'failed');
    const found = await Promise.all(rows.map(({ id }) => admin.get(`/deliveries/${id}`)));
    return found.flatMap(({ body }) => (body.attempts as { reason: string }[]).map(({ reason }) => reason));
  };

  test('posts new mail as the contact, posts no old mail, and changes nothing in the mailbox', async () => {
    const [old, from] = [newAddress(), newAddress()];
    const { dovecot, service, close } = await open((box) => box.deliver({ from: old, text: 'From before' }));
    await dovecot.deliver({ from, text: 'Is the lamp red?' });
    await untilTexts(from, ['Is the lamp red?']);
    await dovecot.deliver({ from, text: 'And the desk?' });
    await untilTexts(from, ['Is the lamp red?', 'And the desk?']);
    const conversation = await findConversation(admin, from);
    const { body } = await admin.get(`/conversations/${conversation}/messages?sort=sequence`);
    expect(body[0]).toMatchObject({ role: 'contact', touchpoint: 'email', serviceType: 'email', service });
    expect((await admin.get(`/contacts?profile.email=${encodeURIComponent(old)}`)).body).toEqual([]);
    const mails = await dovecot.listMails();
    expect(mails).toHaveLength(3);
    expect(mails.filter((name) => /:2,.*[ST]/.test(name))).toEqual([]);
    await close();
  });

  test('a channel sends and receives in one conversation', async () => {
    const { dovecot, close } = await open();
    const from = newAddress();
    await dovecot.deliver({ from, text: 'Hello', subject: 'Order' });
    const conversation = await findConversation(admin, from);
    const { body } = await admin.post('/messages', { conversation, text: 'Hi.', role: 'agent' });
    await untilDelivery(admin, body.id as string, 'sent');
    expect(smtp.sentTo(from)[0]?.mail).toMatchObject({ subject: 'Re: Order' });
    await close();
  });

  test('mail that arrives without a worker is posted when a worker runs again', async () => {
    const { dovecot, close } = await open();
    const from = newAddress();
    await dovecot.deliver({ from, text: 'one' });
    await untilTexts(from, ['one']);
    await worker.stop();
    await dovecot.deliver({ from, text: 'two' });
    await dovecot.deliver({ from, text: 'three' });
    worker = startNode('dist/worker/main.js', { env: product.environment });
    await untilTexts(from, ['one', 'two', 'three']);
    await close();
  });

  test('after the server has changed all UIDs, new mail is posted, and no mail is posted twice', async () => {
    const old = newAddress();
    const { dovecot, close } = await open((box) =>
      box.deliver({ from: old, text: 'old', receivedAt: new Date(Date.now() - 30 * DAY_MS) }),
    );
    const from = newAddress();
    await dovecot.deliver({ from, text: 'one' });
    await dovecot.deliverRaw(`From: ${from}\r\nSubject: Lamp\r\n\r\nno Message-ID\r\n`);
    await untilTexts(from, ['one', 'no Message-ID']);
    await dovecot.restart({ renumbers: true });
    await dovecot.deliver({ from, text: 'two' });
    await untilTexts(from, ['one', 'no Message-ID', 'two']);
    await dovecot.deliver({ from, text: 'three' });
    await untilTexts(from, ['one', 'no Message-ID', 'two', 'three']);
    expect((await admin.get(`/contacts?profile.email=${encodeURIComponent(old)}`)).body).toEqual([]);
    await close();
  });

  test('a mail that is too large and a mail that cannot be fetched are failed rows, and the next mail is posted', async () => {
    const { dovecot, service, close } = await open();
    const from = newAddress();
    const large = Buffer.concat([
      Buffer.from(`From: ${from}\r\nSubject: Large\r\n\r\n`),
      Buffer.alloc(26 * 1024 * 1024, 'large line of a mail\r\n'),
    ]);
    await dovecot.deliverRaw(large);
    await dovecot.deliver({ from, text: 'poison', isUnreadable: true });
    await dovecot.deliver({ from, text: 'after them' });
    await untilTexts(from, ['after them']);
    const reasons = await eventually(async () => {
      const found = await reasonsOf(service);
      return found.length >= 2 && found.sort();
    });
    expect(reasons).toEqual([
      expect.stringMatching(/^The mail could not be fetched in 3 attempts\. \w/),
      'The mail is larger than 25 MiB.',
    ]);
    await expect.poll(() => rowsOf(service, 'delivered')).toHaveLength(1);
    await untilMailbox(service, 'active');
    await close();
  });

  test('a refused login fails the mailbox with the reason, the channel still sends, and it heals by itself', async () => {
    const { dovecot, service, close } = await open();
    const from = newAddress();
    await dovecot.deliver({ from, text: 'one' });
    const conversation = await findConversation(admin, from);
    await dovecot.setPassword('another password');
    await dovecot.restart();
    await dovecot.deliver({ from, text: 'two' });
    const { reason } = await untilMailbox(service, 'failed');
    expect(reason).toMatch(/^The IMAP server did not accept the login: /);
    expect((await findService(service)).status).toBe('active');
    const { body } = await admin.post('/messages', { conversation, text: 'Hi.', role: 'agent' });
    await untilDelivery(admin, body.id as string, 'sent');
    await dovecot.setPassword(smtp.password);
    expect(await untilMailbox(service, 'active')).not.toHaveProperty('reason');
    await untilTexts(from, ['one', 'Hi.', 'two']);
    await close();
  });

  test('a wrong password and a server that cannot be used are 422 at their params', async () => {
    const dovecot = await new Dovecot().start('another password');
    const refused = async (imapUrl: string) => {
      const { status, body } = await register(imapUrl);
      return [status, body.details?.[0]?.path as string];
    };
    expect(await refused(dovecot.url)).toEqual([422, 'params.password']);
    expect(await refused('imaps://10.0.0.1')).toEqual([422, 'params.imapUrl']);
    expect(await refused('https://imap.example.com')).toEqual([400, 'params.imapUrl']);
    await dovecot.setPassword(smtp.password);
    const made = await eventually(async () => {
      const response = await register(dovecot.url);
      return response.status === 201 && response;
    });
    const path = `/services/${made.body.id as string}`;
    await dovecot.setPassword('another password');
    const params = smtp.params({ imapUrl: dovecot.url });
    const changed = await eventually(async () => {
      const response = await admin.request('PATCH', path, { params });
      return response.status === 422 && response;
    });
    expect(changed.body.details[0].path).toBe('params.password');
    await admin.request('DELETE', path);
    await dovecot.close();
  });

  test('a disabled channel reads nothing until it is active again, and the workflow of a deleted channel ends', async () => {
    const { dovecot, service, close } = await open();
    const temporal = await createTemporalClient(product);
    const untilEnded = () =>
      eventually(async () => {
        const { status } = await temporal.workflow.getHandle(`mailbox:${service}`).describe();
        return status.name === 'COMPLETED';
      });
    const from = newAddress();
    expect((await admin.request('PATCH', `/services/${service}`, { status: 'disabled' })).status).toBe(200);
    await dovecot.deliver({ from, text: 'meanwhile' });
    await untilEnded();
    expect(await rowsOf(service, 'delivered')).toEqual([]);
    expect((await admin.request('PATCH', `/services/${service}`, { status: 'active' })).status).toBe(200);
    await untilTexts(from, ['meanwhile']);
    await close();
    await untilEnded();
    await temporal.connection.close();
  });

  test('a worker starts the workflow of a mailbox again that an operator has terminated', async () => {
    const { dovecot, service, close } = await open();
    const temporal = await createTemporalClient(product);
    const workflow = temporal.workflow.getHandle(`mailbox:${service}`);
    await workflow.terminate();
    await eventually(async () => (await workflow.describe()).status.name === 'RUNNING');
    const from = newAddress();
    await dovecot.deliver({ from, text: 'still read' });
    await untilTexts(from, ['still read']);
    await temporal.connection.close();
    await close();
  });

  test('a mailbox whose server hangs delays no other mailbox, and is read once the server responds', async () => {
    const [slow, other] = [await new Dovecot().start(smtp.password), await open()];
    const proxy = await startTcpProxy({ port: slow.port });
    const made = await register(`imap://127.0.0.1:${proxy.port}`);
    const service = made.body.id as string;
    await untilMailbox(service, 'active');
    proxy.weather({ kind: 'stalled' });
    const from = newAddress();
    await slow.deliver({ from, text: 'late' });
    await other.dovecot.deliver({ from, text: 'not delayed' });
    await untilTexts(from, ['not delayed']);
    proxy.weather({ kind: 'cut' });
    proxy.weather({ kind: 'clear' });
    await untilTexts(from, ['not delayed', 'late']);
    await admin.request('DELETE', `/services/${service}`);
    await other.close();
    await proxy.close();
    await slow.close();
  });

  test('more mailboxes than connections take turns, and none waits for long', async () => {
    const dovecot = await new Dovecot().start(smtp.password);
    const proxy = await startTcpProxy({ port: dovecot.port });
    const services: string[] = [];
    for (let n = 0; n < MAILBOXES; n += 1) {
      const { status, body } = await register(`imap://127.0.0.1:${proxy.port}`);
      expect(status).toBe(201);
      services.push(body.id as string);
    }
    for (const service of services) await untilMailbox(service, 'active');
    const from = newAddress();
    await dovecot.deliver({ from, text: 'to all of them' });
    for (const service of services)
      await eventually(async () => (await rowsOf(service, 'delivered')).length >= 1);
    // An organization has 25 connections. The proxy sees the end of a connection a little later.
    expect(proxy.mostConnections()).toBeLessThan(MAILBOXES - 5);
    await untilTexts(from, ['to all of them']);
    for (const service of services) await admin.request('DELETE', `/services/${service}`);
    await proxy.close();
    await dovecot.close();
  });
});
