import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { newUser, startApi, startSecondApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client, createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';

const DATABASE = 'events_crash';
/** Minimum number of events sent before the first check for unfinished events. */
const LEAST_EVENTS = 6;
const SLOW = `(
  $wait := $sum([1..20000]);
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
    conversations = await Promise.all([1, 2, 3].map(() => createConversation(product.admin)));
  });

  afterAll(async () => {
    await worker?.stop();
    await product.close();
    await mongodb.close();
  });

  test('a business event that is unfinished when the worker dies posts its messages once', async () => {
    await newEventType(product, 'crash', SLOW);
    const { unfinished, answered } = await sendUntilCaught('crash', product.worker);
    worker = startNode('dist/worker/main.js', { env: product.environment });
    await answered;
    await expectPostedOnce(product.admin, { name: 'crash', unfinished });
  }, 300_000);

  test('a business event that is unfinished when the API process that runs it dies posts its messages once', async () => {
    await newEventType(product, 'crash.api', SLOW);
    const second = await startSecondApi(DATABASE);
    try {
      const { unfinished, answered } = await sendUntilCaught('crash.api', product.api);
      await answered;
      // Makes the events look thirty seconds old, so that a worker runs them.
      const updatedAt = new Date(Date.now() - 30_000);
      await events().updateMany({ status: 'received' }, { $set: { updatedAt } });
      await expectPostedOnce(client(second.base, product.token), { name: 'crash.api', unfinished });
    } finally {
      await second.close();
    }
  }, 300_000);

  /**
   * Sends events until `victim` is stopped with unfinished events, then kills `victim`. Returns the
   * ids of the unfinished events and the responses.
   */
  async function sendUntilCaught(name: string, victim: NodeProcess) {
    const sent: Promise<unknown>[] = [];
    let unfinished: string[] = [];
    for (let n = 10; n < 99 && unfinished.length === 0; n += 1) {
      const key = `${name}-${n}`;
      const body = { key, conversations, organization: product.organization };
      sent.push(bot.once.post(`/events/${name}`, body, { 'Idempotency-Key': key }).catch(() => undefined));
      await wait(40);
      if (n < 10 + LEAST_EVENTS) continue;
      process.kill(victim.pid, 'SIGSTOP');
      const found = await events().find({ name, status: 'received' }).toArray();
      unfinished = found.map(({ _id }) => String(_id));
      if (unfinished.length === 0) process.kill(victim.pid, 'SIGCONT');
    }
    expect(unfinished).not.toEqual([]);
    await victim.kill();
    return { unfinished, answered: Promise.all(sent) };
  }

  interface Expected {
    name: string;
    /** Events that were unfinished when the process died. */
    unfinished: string[];
  }

  async function expectPostedOnce(admin: ApiClient, { name, unfinished }: Expected): Promise<void> {
    await eventually(
      async () => (await admin.get('/events?status=received')).headers.get('x-total') === '0',
      { withinMs: 180_000, everyMs: 500 },
    );
    const { body: all } = await admin.get(`/events?name=${name}&select=id,body,status&limit=1000`);
    const processed = all.filter(({ status }: { status: string }) => status === 'processed');
    expect(processed.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(unfinished));
    const keys = processed.map(({ body }: { body: { key: string } }) => body.key) as string[];
    const keyOf = (text: string) => /^(crash.*-\d\d)/.exec(text)?.[1] ?? '';
    const starts = (texts: { text: string }[]) =>
      texts.map(({ text }) => keyOf(text)).filter((key) => key.startsWith(`${name}-`));
    for (const conversation of conversations) {
      const { body } = await admin.get(`/messages?conversation=${conversation}&limit=1000`);
      expect(starts(body).sort()).toEqual(keys.flatMap((key) => [key, key]).sort());
    }
    const contacts = await admin.get('/contacts?limit=1000');
    const mine = contacts.body.filter(({ profile }: { profile: { email: string } }) =>
      profile.email.startsWith(`${name}-`),
    );
    expect(mine).toHaveLength(keys.length);
    for (const { conversation } of mine) {
      const posted = await admin.get(`/messages?conversation=${conversation}`);
      expect(posted.headers.get('x-total')).toBe('1');
    }
  }
});
