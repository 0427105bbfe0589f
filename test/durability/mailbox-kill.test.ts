import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConversation } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { Dovecot, IS_WITHOUT_DOVECOT, NEEDS_DOVECOT } from '../support/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startApi } from '../support/shared-servers.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

const MAILS = 20;
/** Stored mails when the worker is killed. */
const KILLED_AT = 5;
/** The worker is killed while it reads, not after it. */
const SLOW = { kind: 'slow', delayMs: 40 } as const;
const FROM = 'writer@sender.example';

/** Spec 15.13. */
describe.skipIf(IS_WITHOUT_DOVECOT)(`SIGKILL of the worker that reads a mailbox${NEEDS_DOVECOT}`, () => {
  let product: OwnProduct;
  let worker: NodeProcess;
  let admin: ApiClient;
  let smtp: MailServer;
  let dovecot: Dovecot;
  let proxy: TcpProxy;

  beforeAll(async () => {
    product = await startApi('mailbox_kill', { MAILBOX_POLL_MS: '500' });
    ({ admin, worker } = product);
    smtp = await new MailServer().start();
    dovecot = await new Dovecot().start(smtp.password);
    proxy = await startTcpProxy({ port: dovecot.port });
  });
  afterAll(async () => {
    await worker.stop();
    await product.close();
    await Promise.all([smtp.close(), proxy.close()]);
    await dovecot.close();
  });

  test(`each of ${MAILS} mails is posted once and in order`, async () => {
    const params = smtp.params({ imapUrl: `imap://127.0.0.1:${proxy.port}` });
    const { body: service } = await admin.post('/services', { name: 'Mail', type: 'email', params });
    const path = `/services/${service.id as string}`;
    await eventually(async () => (await admin.get(path)).body.mailbox?.status === 'active');
    const countRows = async () => {
      const query = `service=${service.id as string}&direction=in&limit=1`;
      return Number((await admin.get(`/deliveries?${query}`)).headers.get('x-total'));
    };
    const texts = Array.from({ length: MAILS }, (_, n) => `mail ${n + 1}`);
    proxy.weather(SLOW);
    for (const text of texts) await dovecot.deliver({ from: FROM, text });
    await eventually(async () => (await countRows()) >= KILLED_AT, { everyMs: 5 });
    await worker.kill();
    worker = startNode('dist/worker/main.js', { env: product.environment });
    const conversation = await findConversation(admin, FROM);
    const posted = await eventually(async () => {
      const { body } = await admin.get(`/messages?conversation=${conversation}&sort=sequence&limit=100`);
      return body.length >= MAILS && (body as { text: string }[]).map(({ text }) => text);
    });
    expect(posted).toEqual(texts);
    expect(await countRows()).toBe(MAILS);
  });
});
