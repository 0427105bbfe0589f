import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import { newEventType } from '../support/event-types.ts';
import type { OwnProduct } from '../support/product.ts';
import { SIGNED, newIngest, postTo } from '../support/senders.ts';
import type { Ingest } from '../support/senders.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import { attackBeside, countStatuses, measureQuiet, measureRequest } from './neighbour.ts';
import type { Ask, Neighbour, Seen, Sent } from './neighbour.ts';

const SECRET = 'a secret that no log has';
/**
 * The limit of posts per second to one inbound address. In the everyday run (not `npm run
 * test:load`), the neighbour sends fewer posts in total.
 */
const PER_SECOND = 30;
const POSTS = '{"conversation": conversation, "messages": [{"type": "status", "text": "event " & number}]}';
const FORMS = 2;
/**
 * For the everyday run (not `npm run test:load`): more posts than the 42 that one address may have
 * running and queued. The posts are sent faster than they complete.
 */
const EVERYDAY = { rounds: 15, each: 25 };

/**
 * All posts come from one machine, as from a shop system with several customers. Both inbound
 * addresses belong to one organization.
 */
describe('a flood from one sender', () => {
  let product: OwnProduct;
  let conversations: string[];
  let flooded: Ingest;
  let neighbours: Ingest;
  let number = 0;
  let neighbour: Neighbour;
  let quiet: Seen;

  beforeAll(async () => {
    product = await startApi('senders_flood', {
      RATE_LIMIT_PER_ADDRESS: String(PER_SECOND),
      RATE_LIMIT_PER_KEY: String(PER_SECOND),
      LOG_LEVEL: 'info',
    });
    const bot = await newUser(product, { role: 'bot' });
    conversations = await Promise.all([1, 2].map(() => createConversation(product.admin)));
    const address = { user: bot.user, secret: SECRET, signature: 'github' };
    flooded = await newIngest(product, await newEventType(product, 'flooded', POSTS), address);
    neighbours = await newIngest(product, await newEventType(product, 'honest', POSTS), address);
    neighbour = {
      requests: { events: () => post(neighbours, conversations[0]) },
      pids: () => [product.api.pid, product.worker.pid],
      everyMs: 500,
    };
    quiet = await measureQuiet(neighbour);
  });

  afterAll(() => product.close());

  function post({ url }: Pick<Ingest, 'url'>, conversation?: string) {
    number += 1;
    const body = JSON.stringify({ conversation, number });
    return postTo(url, body, SIGNED.github(SECRET, body, `delivery-${number}`));
  }

  /**
   * Floods the product, asserts that the number of posts answered with `status` is within the
   * limit, and returns that number.
   */
  async function flood(name: string, ask: Ask, status: number): Promise<number> {
    const attack = (at: number) => measureRequest(() => ask(at));
    const begun = performance.now();
    const sent = await attackBeside(neighbour, quiet, {
      ...{ name, attack, everyMs: 20, parts: FORMS },
      ...EVERYDAY,
    });
    const seconds = (performance.now() - begun) / 1_000;
    const counts = countStatuses(sent);
    console.log(name, JSON.stringify(counts), seconds);
    const passed = counts[status] ?? 0;
    expect(passed + (counts[429] ?? 0)).toBe(sent.length);
    // The rate limit counts by clock second, and the flood may begin and end within one: hence two
    // extra seconds. `seconds` is measured, so the bound also holds on a stalled machine.
    expect(passed).toBeLessThanOrEqual(PER_SECOND * (seconds + 2));
    expectRefusals(sent);
    return passed;
  }

  function expectRefusals(sent: readonly Sent[]): void {
    const refused = sent.filter(({ status }) => status === 429);
    for (const { code, retryAfterSeconds } of refused) {
      expect(code).toBe('rate_limited');
      expect(retryAfterSeconds).toBeGreaterThan(0);
    }
  }

  test('a flood of posts to one inbound address gets 429 above the rate limit of that address, and another inbound address is not affected', async () => {
    const taken = await flood('one address', () => post(flooded, conversations[1]), 202);
    const stored = await product.admin.get('/events?name=flooded&limit=1');
    expect(Number(stored.headers.get('x-total'))).toBe(taken);
  });

  test('a flood of posts to guessed inbound addresses gets 404, or 429 above the rate limit, and an existing inbound address is not affected', async () => {
    const guess = () => post({ url: `${product.origin}/in/${String((number += 1)).padStart(43, 'x')}` });
    await flood('guessed addresses', guess, 404);
  });

  test('a flood from one sender leaves no token and no secret in the logs', () => {
    const logs = product.api.output() + product.worker.output();
    expect(logs).toContain('/in/:token');
    expect(logs).not.toContain(SECRET);
    for (const { url } of [flooded, neighbours]) expect(logs).not.toContain(url.split('/').at(-1));
    expect(logs).not.toContain('xxxxxxxxxx');
  });
});
