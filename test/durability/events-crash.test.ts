import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { newUser, startApi, startSecondApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';

const DATABASE = 'events_crash';
const SLOW = `(
  $wait := $sum([1..200000]);
  $append($.conversations.{"conversation": $, "messages": [{"text": $$.key & $random()}, {"text": $$.key & "second"}]},
    {"organization": $$.organization, "contact": {"profile": {"email": $$.key & "@example.com"}}, "messages": [{"text": $$.key}]})
)`;

describe('a business event', () => {
  let product: OwnProduct;
  let bot: KeyHolder;
  let conversations: string[];
  let worker: NodeProcess | undefined;
  let mongodb: MongoClient;
  const events = () => mongodb.db(DATABASE).collection('events');

  beforeAll(async () => {
    mongodb = await MongoClient.connect(inject('mongodbUri'));
    product = await startApi(DATABASE);
    bot = await newUser(product, { role: 'bot' });
    const made = await Promise.all([1, 2, 3].map(() => product.admin.post('/conversations', {})));
    conversations = made.map(({ body }) => body.id);
  });

  afterAll(async () => {
    await worker?.stop();
    await product.close();
    await mongodb.close();
  });

  test('survives the death of the worker at any moment, and posts once', async () => {
    await newEventType(product, 'crash', SLOW);
    const keys = await sendUntilCaught('crash', 'k', product.worker);
    worker = startNode('dist/worker/main.js', { env: product.environment });
    await expectPostedOnce(product.admin, keys);
  }, 300_000);

  test('survives the death of the API process that runs it, and posts once', async () => {
    await newEventType(product, 'crash.api', SLOW);
    const second = await startSecondApi(DATABASE);
    try {
      await sendUntilCaught('crash.api', 'a', product.api);
      const admin = client(second.base, product.token);
      const { body: stored } = await admin.get('/events?name=crash.api&select=body,status&limit=1000');
      expect(stored.some(isReceived)).toBe(true);
      // As where thirty seconds have passed: then a worker runs it.
      await events().updateMany(
        { status: 'received' },
        { $set: { updatedAt: new Date(Date.now() - 30_000) } },
      );
      await expectPostedOnce(
        admin,
        stored.map(({ body }: { body: { key: string } }) => body.key),
      );
    } finally {
      await second.close();
    }
  }, 300_000);

  /**
   * Sends events until a process stands still while one of them is unfinished; then kills the
   * process. Returns the keys of the events, at other moments of their life each.
   */
  async function sendUntilCaught(name: string, prefix: string, victim: NodeProcess): Promise<string[]> {
    const keys: string[] = [];
    const sent: Promise<unknown>[] = [];
    for (let n = 10; n < 99; n += 1) {
      const key = `${prefix}${n}-`;
      const body = { key, conversations, organization: product.organization };
      keys.push(key);
      sent.push(bot.post(`/events/${name}`, body, { 'Idempotency-Key': key }).catch(() => undefined));
      await wait(40);
      process.kill(victim.pid, 'SIGSTOP');
      if (n >= 15 && (await events().countDocuments({ name, status: 'received' })) > 0) break;
      process.kill(victim.pid, 'SIGCONT');
    }
    await victim.kill();
    await Promise.all(sent);
    return keys;
  }

  async function expectPostedOnce(admin: Client, keys: string[]): Promise<void> {
    await eventually(
      async () => (await admin.get('/events?status=received')).headers.get('x-total') === '0',
      { withinMs: 180_000, everyMs: 500 },
    );
    const starts = (texts: { text: string }[]) =>
      texts.map(({ text }) => text.slice(0, 4)).filter((key) => keys.includes(key));
    for (const conversation of conversations) {
      const { body } = await admin.get(`/messages?conversation=${conversation}&limit=1000`);
      expect(starts(body).sort()).toEqual(keys.flatMap((key) => [key, key]).sort());
    }
    const contacts = await admin.get('/contacts?limit=1000');
    const mine = contacts.body.filter(({ profile }: { profile: { email: string } }) =>
      keys.includes(profile.email.slice(0, 4)),
    );
    expect(mine).toHaveLength(keys.length);
    for (const { conversation } of mine) {
      const posted = await admin.get(`/messages?conversation=${conversation}`);
      expect(posted.headers.get('x-total')).toBe('1');
    }
  }
});

function isReceived({ status }: { status: string }): boolean {
  return status === 'received';
}
