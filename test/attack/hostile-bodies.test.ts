import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import { HONEST_MESSAGES, HOSTILE_BODIES } from '../support/hostile-bodies.ts';
import type { OwnProduct } from '../support/product.ts';
import { readThreadTimes } from './thread-times.ts';

const MAX_RATIO = 5;
/**
 * The maximum number of measurements per body and sender. The lowest result counts, because other
 * programs on the machine can only lengthen a measurement.
 */
const TRIES = 5;
/** A ratio up to this value ends the measurements. */
const CLEAR_RATIO = 2;

/**
 * The event loop of the API is one thread. A hostile body of 1 MiB from any sender must occupy the
 * thread for less than five times as long as an honest body does.
 * test/schema/hostile-bodies.test.ts measures each check alone.
 */
describe('a hostile body of 1 MiB', () => {
  let product: OwnProduct;
  let postHonest: () => Promise<number>;
  let honestMs = Infinity;
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
    postHonest = () => send(origin, { path, token: product.token }, JSON.stringify(HONEST_MESSAGES));
    for (let n = 0; n < TRIES; n += 1) honestMs = Math.min(honestMs, await measureHonest());
  });
  afterAll(() => product.close());

  const measureHonest = () =>
    measureLoop(async () => {
      expect(await postHonest()).toBe(201);
    });

  /** Returns the CPU milliseconds of the event loop of the API while `work` runs. */
  async function measureLoop(work: () => Promise<void>): Promise<number> {
    const { pid } = product.api;
    const readMs = () => readThreadTimes([pid]).get(String(pid)) ?? 0;
    const before = readMs();
    await work();
    return readMs() - before;
  }

  /**
   * Measures at most TRIES times. Returns the lowest ratio of the CPU time of `work` to that of an
   * honest body.
   */
  async function leastRatio(work: () => Promise<void>): Promise<number> {
    let least = (await measureLoop(work)) / honestMs;
    for (let n = 1; n < TRIES && least > CLEAR_RATIO; n += 1) {
      least = Math.min(least, (await measureLoop(work)) / (await measureHonest()));
    }
    return least;
  }

  test.each([...HOSTILE_BODIES])(
    'a hostile body of 1 MiB costs less than five times as much CPU time as an ordinary body: %s',
    async (_, text) => {
      for (const [name, sender] of senders) {
        const ratio = await leastRatio(async () => {
          expect(await send(product.origin, sender, text), name).toBeLessThan(500);
        });
        expect(ratio, name).toBeLessThan(MAX_RATIO);
      }
    },
  );
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
