import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../bench/cpu-time.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import { HONEST_MESSAGES, HOSTILE_BODIES } from '../support/hostile-bodies.ts';
import type { OwnProduct } from '../support/product.ts';

const MAX_RATIO = 10;
/** Bodies that one measurement is over: the system counts in hundredths of a second. */
const HONEST_POSTS = 5;

/**
 * The API has one thread. A body of 1 MiB that is written to be dear must not hold it ten times as
 * long as an honest one, whoever sends it (test/schema/hostile-bodies.test.ts measures every check
 * by itself).
 */
describe('a hostile body of 1 MiB', () => {
  let product: OwnProduct;
  let honestMs: number;
  const senders = new Map<string, { path: string; token?: string }>();

  beforeAll(async () => {
    product = await startApi('hostile_bodies');
    const { admin, organization, origin } = product;
    const { body: made } = await admin.post('/conversations', {
      organization,
      contact: { profile: { email: 'ada@example.com' } },
      messages: [{ text: 'hello' }],
    });
    const [guest, agent, bot] = await Promise.all(
      ['viewer', 'agent', 'bot'].map((role) => newUser(product, { role })),
    );
    senders
      .set('anybody, at /auth/token', { path: '/v2/auth/token' })
      .set('the holder of a chat page', { path: `${new URL(made.url).pathname}/messages` })
      .set('a guest, at /messages', { path: '/v2/messages', token: guest!.token })
      .set('an agent, at /conversations', { path: '/v2/conversations', token: agent!.token })
      .set('a bot, at /contacts', { path: '/v2/contacts', token: bot!.token })
      .set('an admin, at /services', { path: '/v2/services', token: product.token });
    const path = `/v2/conversations/${made.id}/messages`;
    const post = () => send(origin, { path, token: product.token }, JSON.stringify(HONEST_MESSAGES));
    expect(await post()).toBe(201);
    honestMs =
      (await cpuOf(async () => {
        for (let n = 0; n < HONEST_POSTS; n += 1) expect(await post()).toBe(201);
      })) / HONEST_POSTS;
  });
  afterAll(() => product.close());

  async function cpuOf(work: () => Promise<void>): Promise<number> {
    const before = (await cpuMsOf(product.api.pid)) ?? 0;
    await work();
    return ((await cpuMsOf(product.api.pid)) ?? 0) - before;
  }

  test.each([...HOSTILE_BODIES])('costs less than ten times an honest one: %s', async (_, body) => {
    for (const [name, sender] of senders) {
      const ms = await cpuOf(async () => {
        expect(await send(product.origin, sender, body), name).toBeLessThan(500);
      });
      expect(ms / honestMs, name).toBeLessThan(MAX_RATIO);
    }
  });
});

async function send(
  origin: string,
  { path, token }: { path: string; token?: string },
  body: string,
): Promise<number> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
