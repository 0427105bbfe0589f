import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { listening, textsAt } from '../support/listening.ts';
import { hang, startReceiver } from '../support/receiver.ts';
import type { Product } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { listen } from '../support/stream.ts';
import { expectWithinASecond } from '../support/within-a-second.ts';

/**
 * Tests guarantees in seconds. The everyday tests run on machines that may stall, so they assert
 * only results and order.
 */
let product: Product;

beforeAll(async () => {
  product = await sharedApi('promptness');
});
afterAll(() => product.close());

const newConversation = async () => (await product.admin.post('/conversations', {})).body.id as string;

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Returns the duration of one ordinary request in milliseconds, for comparison. */
const requestsMs = async () => [await took(() => product.admin.get('/users/me'))];

describe('within a second', () => {
  test('a stream sends a message within a second after another process accepted the message', async () => {
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

  test('a delayed message is processed within a second after its due time', async () => {
    const conversation = await newConversation();
    const { body } = await product.admin.post('/messages', { conversation, text: 'later', delay: 1500 });
    const due = await eventually(async () => {
      const { body: now } = await product.admin.get(`/messages/${body.id}`);
      return now.processedAt && now;
    });
    const lateMs = Date.parse(due.processedAt) - Date.parse(due.createdAt) - 1500;
    expectWithinASecond([lateMs], await requestsMs());
  });

  test('queued deliveries go to the new url of a service within a second after the change, even if an attempt at the former url hangs', async () => {
    const [former, next] = [await startReceiver(), await startReceiver()];
    const { register, move, say } = listening(() => product.admin);
    const service = await register(former.url);
    former.behave(hang);
    await say(await newConversation(), 'one', 'two');
    await eventually(() => former.received.some(({ method }) => method === 'POST'));
    await untilActive(product.admin, await move(service.id, next.url));
    const sentMs = await took(() => eventually(() => textsAt(next).length >= 2, { everyMs: 10 }));
    await Promise.all([former.close(), next.close()]);
    expectWithinASecond([sentMs], await requestsMs());
  });
});

test('a process rejects an API key within five seconds after another process revoked it', async () => {
  const second = await secondSharedApi();
  const bot = await newUser(product, { role: 'bot' });
  const there = client(second.base, bot.token);
  expect((await there.get('/users/me')).status).toBe(200);
  await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
  const refusedMs = await took(() => eventually(async () => (await there.get('/users/me')).status === 401));
  expect(refusedMs).toBeLessThan(5_500);
});
