import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasArrived } from '../support/arrivals.ts';
import { newChannel, newEntry } from '../support/channels.ts';
import type { TestChannel } from '../support/channels.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { startApi, startSecondApi } from '../support/shared-servers.ts';
import { attackBeside, describeSent, measureQuiet, measureRequest, quantile } from './neighbour.ts';
import type { Ask } from './neighbour.ts';
import { newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, WebhookNeighbour } from './webhook-neighbour.ts';

/** In the everyday run (not `npm run test:load`), no attempt reaches its timeout. */
const TIMEOUT_MS = LOAD_MINUTES > 0 ? '5000' : '600000';
/** A post opens a chat that hangs: one chat a second in the load run. */
const CHAT_EVERY = LOAD_MINUTES > 0 ? 50 : 5;
/** 50 posts a second in the load run. */
const FLOOD_EVERY_MS = 20;
const HONEST_EVERY_MS = 250;
const SENDERS = 40;
const WITHIN = { withinMs: 180_000 };

/**
 * One channel is flooded with posts, and its adapter never responds. Its organization has another
 * channel, and another organization has a webhook.
 */
describe('a channel that is flooded and hangs', () => {
  let product: OwnProduct;
  let attacker: Attacker;
  let hot: TestChannel;
  let calm: TestChannel;
  let calmConversation: string;
  let neighbour: WebhookNeighbour;
  /** Takes half of the flood in the load run. */
  let second: Awaited<ReturnType<typeof startSecondApi>> | undefined;
  let hanging = 0;
  let ended = 0;

  beforeAll(async () => {
    product = await startApi('hot_channel', { WEBHOOK_TIMEOUT_MS: TIMEOUT_MS });
    attacker = await newTenant(product, 'Hot');
    neighbour = await startNeighbour(product);
    if (LOAD_MINUTES > 0) second = await startSecondApi('hot_channel');
    hot = await newChannel(attacker.admin);
    calm = await newChannel(attacker.admin);
    hot.adapter.behave((response, { method }) => {
      if (method === 'GET') return void response.end();
      hanging += 1;
      response.once('close', () => (ended += 1));
    });
    calmConversation = await calm.begin('+31650000001');
  });
  afterAll(async () => {
    await Promise.all([product.close(), second?.close()]);
    await Promise.all([hot.adapter.close(), calm.adapter.close(), neighbour.close()]);
  });

  let replies = 0;
  /** A reply by the calm channel, until its adapter has the reply. */
  const carry: Ask = async () => {
    const text = `calm ${(replies += 1)}`;
    const { service } = calm;
    const answer = await attacker.admin.post('/messages', {
      ...{ conversation: calmConversation, text, role: 'agent', service },
    });
    await eventually(() => hasArrived(calm.adapter, text), { ...WITHIN, everyMs: 10 });
    return answer;
  };

  const chats: Promise<unknown>[] = [];
  /** Half of the entries are of one sender. */
  function flood(at: number) {
    const sender = at % 2 === 0 ? '+31651000000' : `+31651${100_000 + (at % SENDERS)}`;
    if (at % CHAT_EVERY === 1) {
      const identity = { service: hot.service, id: `+31652${100_000 + at}` };
      const messages = [{ text: 'bait', role: 'agent', service: hot.service, touchpoint: 'sms' }];
      chats.push(attacker.admin.post('/conversations', { contact: { identity }, messages }));
    }
    const { once } = second && at % 2 === 1 ? client(second.base, attacker.admin.token) : attacker.admin;
    return hot.receive([newEntry(sender, `flood ${at}`, randomUUID())], once);
  }

  const countEntries = async (status: string) => {
    const query = `service=${hot.service}&direction=in&status=${status}&limit=1`;
    return Number((await attacker.admin.get(`/deliveries?${query}`)).headers.get('x-total'));
  };

  test('a channel that hangs and is flooded delays no other channel and no webhook, and takes and posts every entry', async () => {
    const honest = {
      ...neighbour,
      ...{ requests: { ...neighbour.requests, replies: carry }, everyMs: HONEST_EVERY_MS },
    };
    const quiet = await measureQuiet(honest);
    const sent = await attackBeside(honest, quiet, {
      ...{ name: 'hot channel', attack: (at: number) => measureRequest(() => flood(at)) },
      ...{ each: 10, most: 40, everyMs: FLOOD_EVERY_MS, parts: 1 },
    });
    await Promise.all(chats);
    if (LOAD_MINUTES > 0) {
      console.log(`the posts of the flood: ${describeSent(sent)}`);
      const times = sent.map(({ tookMs }) => tookMs);
      expect(quantile(times, 0.99)).toBeLessThan(1_000);
    }
    // Never 429. An overloaded machine may make the store slow.
    for (const { status } of sent) expect([202, 503]).toContain(status);
    // The adapter still hangs while the entries are posted.
    await eventually(async () => hanging > 0 && (await countEntries('pending')) === 0, WITHIN);
    const accepted = sent.filter(({ status }) => status === 202).length;
    expect(await countEntries('delivered')).toBeGreaterThanOrEqual(accepted);
    // A lost heartbeat ends attempts, which are then repeated.
    if (LOAD_MINUTES === 0) await expect.poll(() => hanging - ended).toBeGreaterThan(0);
    await neighbour.expectAllThere();
    expect((await attacker.admin.get(`/services/${hot.service}`)).body.status).toBe('active');
  });

  test('the posts of channels have ten times the rate limit of other requests', async () => {
    const limits = { RATE_LIMIT_PER_ADDRESS: '5', RATE_LIMIT_PER_KEY: '5' };
    const api = await startSecondApi('hot_channel', limits);
    const limited = client(api.base, attacker.admin.token);
    const path = `/services/${hot.service}/inbound`;
    const posts = Array.from({ length: 40 }, (_, at) =>
      limited.post(path, { entries: [newEntry('+31653000000', `${at}`)] }),
    );
    const statuses = (await Promise.all(posts)).map(({ status, headers }) => [
      status,
      headers.get('ratelimit-limit'),
    ]);
    await api.close();
    expect(statuses).toEqual(statuses.map(() => [202, '50']));
  });
});
