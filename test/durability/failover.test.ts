import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startFailoverProxy } from '../support/failover-proxy.ts';
import type { FailoverProxy } from '../support/failover-proxy.ts';
import { keepLog } from '../support/log.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startApi } from '../support/shared-servers.ts';
import { storeAddress } from '../support/store-address.ts';
import { everyoneGoesOn, expectAllThere, expectDelivered, registerWebhook } from './expectations.ts';
import { startWriter } from './writers.ts';

const DATABASE = 'failover';
const WRITERS = 4;
/** One write in `EVERY` meets a failover. */
const EVERY = 9;
const FAULTS_OF_EACH = Number(process.env['PARLANCE_FAILOVERS'] ?? 8);
const DURABLE = '{"w":"majority","j":true}';
/** Collections whose writes a failover may lose: presences and request counts. */
const PASSING = ['presences', 'requestcounts'];

/** Spec 1.2: a change of the primary delays messages, but neither loses nor duplicates them. */
describe('a failover of the store', () => {
  let proxy: FailoverProxy;
  let product: OwnProduct;
  let receiver: Receiver;
  const answered = new Set<number>();

  beforeAll(async () => {
    proxy = await startFailoverProxy(storeAddress(inject('mongodbUri')));
    const uri = `mongodb://127.0.0.1:${proxy.port}/${DATABASE}?directConnection=true`;
    product = await startApi(DATABASE, { MONGODB_URI: uri });
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await product.close();
    await keepLog(DATABASE, `${product.api.output()}\n${product.worker.output()}`);
    await Promise.all([receiver.close(), proxy.close()]);
  });

  test('a failover of the store delays posts or makes them return 503, and acknowledged messages are stored and delivered once and in order', async () => {
    const { admin } = product;
    await registerWebhook(admin, { url: receiver.url, events: ['message.create.*'] });
    const watched: ApiClient = {
      ...admin,
      once: {
        ...admin.once,
        async post(...request) {
          const answer = await admin.once.post(...request);
          answered.add(answer.status);
          return answer;
        },
      },
    };
    const ids = await Promise.all(Array.from({ length: WRITERS }, () => createConversation(admin)));
    const writers = ids.map((conversation) => startWriter(watched, { conversation, pauseMs: 20 }));
    await everyoneGoesOn(writers);
    proxy.disturb(EVERY);
    await eventually(() => Object.values(proxy.happened).every((times) => times >= FAULTS_OF_EACH), {
      withinMs: 240_000,
    });
    proxy.disturb(0);
    await everyoneGoesOn(writers);
    await Promise.all(writers.map((writer) => writer.end()));
    for (const writer of writers) await expectAllThere(admin, writer);
    const posts = writers.map(({ acknowledged }) => acknowledged.length).join(' + ');
    console.log(`${posts} posts over ${JSON.stringify(proxy.happened)}`);
    // 200 means that an earlier attempt of the same post was stored, although the response to it
    // was 503 or got lost.
    expect([...answered].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    for (const writer of writers) await expectDelivered(receiver, writer);
  }, 500_000);

  test('a failover of the store loses no acknowledged write, because writes wait for a majority and its journal', () => {
    const kept = [...proxy.concerns].filter(([collection]) => !PASSING.includes(collection));
    expect(kept.length).toBeGreaterThan(5);
    for (const [collection, concerns] of kept)
      expect([collection, ...concerns]).toEqual([collection, DURABLE]);
  });
});
