import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { newUser, startApi } from '../support/shared-servers.ts';

const DATABASE = 'timer_kill';
const CONVERSATIONS = 20;
const EXPRESSION = `{ "conversation": conversation, "messages": [{ "text": timer }] }`;

/** Spec 14.3: a firing is stored once, and its event is posted once. */
describe('timers of a worker that dies', () => {
  let product: OwnProduct;
  let worker: NodeProcess | undefined;
  let mongodb: MongoClient;
  const events = () => mongodb.db(DATABASE).collection('events');

  beforeAll(async () => {
    mongodb = await MongoClient.connect(inject('mongodbUri'));
    product = await startApi(DATABASE);
    const { user } = await newUser(product, { role: 'bot' });
    await newEventType(product, 'fired', EXPRESSION);
    const timers = [
      { name: 'soon', when: 'queued', after: 4_000, event: 'fired', user },
      { name: 'later', when: 'quiet', after: 8_000, event: 'fired', user },
    ];
    const { status } = await product.admin.request('PATCH', `/organizations/${product.organization}`, {
      timers,
    });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await worker?.stop();
    await product.close();
    await mongodb.close();
  });

  test('a timer fires once, and posts once, if the worker is killed before and while timers are due', async () => {
    const conversations = await Promise.all(
      Array.from({ length: CONVERSATIONS }, () => createConversation(product.admin)),
    );
    await product.worker.kill();
    worker = startNode('dist/worker/main.js', { env: product.environment });
    // The second kill meets conversations whose firing is stored and whose event is not posted.
    await eventually(async () => (await events().countDocuments({ timer: 'soon' })) > 0, {
      withinMs: 180_000,
      everyMs: 5,
    });
    await worker.kill();
    worker = startNode('dist/worker/main.js', { env: product.environment });
    for (const conversation of conversations) {
      const texts = await eventually(
        async () => {
          const { body } = await product.admin.get(`/messages?conversation=${conversation}`);
          return body.length >= 2 && (body as { text: string }[]).map(({ text }) => text);
        },
        { withinMs: 600_000, everyMs: 500 },
      );
      expect(texts.sort()).toEqual(['later', 'soon']);
    }
    // The status of an event is stored after its message.
    const stored = await eventually(async () => {
      const found = await events().find({}).toArray();
      const statuses = [...new Set(found.map(({ status }) => status as string))];
      return statuses.join() === 'processed' && found;
    });
    expect(stored).toHaveLength(2 * CONVERSATIONS);
  }, 1_500_000);
});
