import { afterAll, beforeAll, expect, test } from 'vitest';
import { findConversation } from '../support/channels.ts';
import { Dovecot } from '../support/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startApi } from '../support/shared-servers.ts';

const CONTACTS = 50;
/** Fewer than the mails of a contact in an hour that become notes. */
const MAILS_EACH = 10;
const OUTAGE_MS = 3 * 24 * 3_600_000;

let product: OwnProduct;
let smtp: MailServer;
let dovecot: Dovecot;
let worker: NodeProcess | undefined;

beforeAll(async () => {
  product = await startApi('mail_mailbox');
  smtp = await new MailServer().start();
  dovecot = await new Dovecot().start(smtp.password);
});
afterAll(async () => {
  await worker?.stop();
  await product.close();
  await smtp.close();
  await dovecot.close();
});

/** Section 15.13 of the specification. */
test(`after an outage of three days, ${CONTACTS * MAILS_EACH} mails of a mailbox are posted once and in order, and stay in the mailbox`, async () => {
  const { admin } = product;
  const params = smtp.params({ imapUrl: dovecot.url });
  const { body: channel } = await admin.post('/services', { name: 'Mail', type: 'email', params });
  await eventually(async () => {
    const { body } = await admin.get(`/services/${channel.id}`);
    return body.mailbox?.status === 'active';
  });
  await product.worker.stop();
  const contacts = Array.from({ length: CONTACTS }, (_, at) => `person${at}@sender.example`);
  const texts = Array.from({ length: MAILS_EACH }, (_, at) => `Mail number ${at}`);
  const begin = Date.now() - OUTAGE_MS;
  for (const [at, text] of texts.entries()) {
    const receivedAt = new Date(begin + (at * OUTAGE_MS) / MAILS_EACH);
    for (const from of contacts) await dovecot.deliver({ from, text, receivedAt });
  }
  const before = (await dovecot.listMails()).map((name) => name.split(':')[0]);
  worker = startNode('dist/worker/main.js', { env: product.environment });
  const startedAt = performance.now();
  await eventually(
    async () => {
      const { headers } = await admin.get(`/messages?type=chat&role=contact&limit=1`);
      return Number(headers.get('X-Total')) >= CONTACTS * MAILS_EACH;
    },
    { withinMs: 200_000, everyMs: 1_000 },
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${CONTACTS * MAILS_EACH} mails posted in ${seconds.toFixed(0)} s`);
  for (const from of contacts) {
    const conversation = await findConversation(admin, from);
    const { body } = await admin.get(`/conversations/${conversation}/messages?sort=sequence`);
    expect(body.map(({ text }: { text: string }) => text)).toEqual(texts);
  }
  const after = await dovecot.listMails();
  expect(after.map((name) => name.split(':')[0]).sort()).toEqual(before.sort());
  expect(after.filter((name) => /:2,.*[ST]/.test(name))).toEqual([]);
});
