import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { listening, textsAt } from '../support/listening.ts';
import { hang, startReceiver } from '../support/receiver.ts';
import type { Product } from '../support/product.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { listen } from '../support/stream.ts';
import { expectWithinASecond } from '../support/within-a-second.ts';

/**
 * Promises in seconds. The everyday tests of the same features assert that it happens at all, in
 * order, and what decides when: they run on machines that stand still.
 */
let product: Product;

beforeAll(async () => {
  product = await sharedApi('promptness');
});
afterAll(() => product.close());

const newConversation = async () => (await product.admin.post('/conversations', {})).body.id as string;

/** Milliseconds that something takes. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds that requests take now. */
const requestsMs = async () => [await took(() => product.admin.get('/users/me'))];

describe('within a second', () => {
  test('a stream of one process tells what another accepted', async () => {
    const second = await secondSharedApi();
    const id = await newConversation();
    const { token } = product;
    const listener = await listen(`${second.base}/conversations/${id}/stream`, { token });
    await listener.until(({ event }) => event === 'conversation');
    const heardMs: number[] = [];
    for (let turn = 0; turn < 9; turn++) {
      await product.admin.post('/messages', { conversation: id, text: `across ${turn}` });
      heardMs.push(await took(() => listener.until(({ data }) => data.text === `across ${turn}`)));
    }
    await listener.close();
    expectWithinASecond(heardMs, await requestsMs());
  });

  test('a delayed message is processed after its time', async () => {
    const conversation = await newConversation();
    const { body } = await product.admin.post('/messages', { conversation, text: 'later', delay: 1500 });
    const due = await eventually(async () => {
      const { body: now } = await product.admin.get(`/messages/${body.id}`);
      return now.processedAt && now;
    });
    const lateMs = Date.parse(due.processedAt) - Date.parse(due.createdAt) - 1500;
    expectWithinASecond([lateMs], await requestsMs());
  });

  test('what waits for a webhook is sent to its new url, though an attempt hangs at the former', async () => {
    const [former, next] = [await startReceiver(), await startReceiver()];
    const { register, move, say } = listening(() => product.admin);
    const service = await register(former.url);
    former.behave(hang);
    await say(await newConversation(), 'one', 'two');
    await eventually(() => former.received.some(({ method }) => method === 'POST'));
    expect((await move(service.id, next.url)).body.status).toBe('active');
    const sentMs = await took(() => eventually(() => textsAt(next).length === 2, { everyMs: 10 }));
    await Promise.all([former.close(), next.close()]);
    expectWithinASecond([sentMs], await requestsMs());
  });
});

test('a key is refused by another process five seconds after it was revoked', async () => {
  const second = await secondSharedApi();
  const bot = await newUser(product, { role: 'bot' });
  const there = client(second.base, bot.token);
  expect((await there.get('/users/me')).status).toBe(200);
  await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
  const refusedMs = await took(() => eventually(async () => (await there.get('/users/me')).status === 401));
  expect(refusedMs).toBeLessThan(5_500);
});
