import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

  beforeAll(async () => {
    product = await startApi(DATABASE);
    bot = await newUser(product, { role: 'bot' });
    const made = await Promise.all([1, 2, 3].map(() => product.admin.post('/conversations', {})));
    conversations = made.map(({ body }) => body.id);
  });

  afterAll(async () => {
    await worker?.stop();
    await product.close();
  });

  test('survives the death of the worker at any moment, and posts once', async () => {
    await newEventType(product, 'crash', SLOW);
    const sent = sendSome('crash', ['k1-', 'k2-', 'k3-', 'k4-', 'k5-', 'k6-']);
    await wait(150);
    await product.worker.kill();
    worker = startNode('dist/worker/main.js', { env: product.environment });
    const keys = await sent;
    await expectPostedOnce(product.admin, keys);
  }, 150_000);

  test('survives the death of the API process that runs it, and posts once', async () => {
    await newEventType(product, 'crash.api', SLOW);
    const sent = sendSome('crash.api', ['a1-', 'a2-', 'a3-', 'a4-', 'a5-', 'a6-']);
    await wait(350);
    await product.api.kill();
    await sent;
    const second = await startSecondApi(DATABASE);
    try {
      const admin = client(second.base, product.token);
      const { body: stored } = await admin.get('/events?name=crash.api&select=body,status');
      console.log(`${stored.length} stored, ${stored.filter(isReceived).length} of them unfinished`);
      expect(stored.some(isReceived)).toBe(true);
      await expectPostedOnce(
        admin,
        stored.map(({ body }: { body: { key: string } }) => body.key),
      );
    } finally {
      await second.close();
    }
  }, 150_000);

  /** At other moments of an event's life each time. */
  function sendSome(name: string, keys: string[]): Promise<string[]> {
    const sent = keys.map(async (key, at) => {
      await wait(at * 40);
      const body = { key, conversations, organization: product.organization };
      await bot.post(`/events/${name}`, body, { 'Idempotency-Key': key }).catch(() => undefined);
      return key;
    });
    return Promise.all(sent);
  }

  async function expectPostedOnce(admin: Client, keys: string[]): Promise<void> {
    await eventually(
      async () => (await admin.get('/events?status=received')).headers.get('x-total') === '0',
      { withinMs: 90_000, everyMs: 500 },
    );
    const starts = (texts: { text: string }[]) =>
      texts.map(({ text }) => text.slice(0, 3)).filter((key) => keys.includes(key));
    for (const conversation of conversations) {
      const { body } = await admin.get(`/messages?conversation=${conversation}&limit=1000`);
      expect(starts(body).sort()).toEqual(keys.flatMap((key) => [key, key]).sort());
    }
    const contacts = await admin.get('/contacts');
    const mine = contacts.body.filter(({ profile }: { profile: { email: string } }) =>
      keys.includes(profile.email.slice(0, 3)),
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
