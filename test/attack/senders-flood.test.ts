import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventType } from '../support/event-types.ts';
import type { OwnProduct } from '../support/product.ts';
import { SIGNED, newIngest, postTo } from '../support/senders.ts';
import type { Ingest } from '../support/senders.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import { attackMs, expectUnharmed, pace, quantile, statuses, told } from './neighbour.ts';
import type { Sent } from './neighbour.ts';

const SECRET = 'a secret that no log has';
const PER_SECOND = 20;
const POSTS = '{"conversation": conversation, "messages": [{"type": "status", "text": "event " & number}]}';
const SHORT_MS = 8_000;
const FORMS = 2;

/**
 * All posts come from one machine, as those of the customers of a shop system do. Both addresses
 * are of one organization.
 */
describe('a flood from one sender', () => {
  let product: OwnProduct;
  let conversations: string[];
  let flooded: Ingest;
  let neighbours: Ingest;
  let number = 0;
  let quiet: Sent[];

  beforeAll(async () => {
    product = await startApi('senders_flood', {
      RATE_LIMIT_PER_SECOND: String(PER_SECOND),
      LOG_LEVEL: 'info',
    });
    const bot = await newUser(product, { role: 'bot' });
    const made = [
      await product.admin.post('/conversations', {}),
      await product.admin.post('/conversations', {}),
    ];
    conversations = made.map(({ body }) => body.id);
    const address = { user: bot.user, secret: SECRET, signature: 'github' };
    flooded = await newIngest(product, await newEventType(product, 'flooded', POSTS), address);
    neighbours = await newIngest(product, await newEventType(product, 'honest', POSTS), address);
    await honest(2_000);
    quiet = await honest(SHORT_MS);
  });

  afterAll(() => product.close());

  function post({ url }: Pick<Ingest, 'url'>, conversation?: string) {
    number += 1;
    const body = JSON.stringify({ conversation, number });
    return postTo(url, body, SIGNED.github(SECRET, body, `delivery-${number}`));
  }

  const honest = (forMs: number) => pace(() => post(neighbours, conversations[0]), { everyMs: 500, forMs });

  /** 50 a second; answers what became of each. */
  async function flood(what: string, attack: () => Promise<any>): Promise<Sent[]> {
    const forMs = attackMs(SHORT_MS, FORMS);
    const [sent, during] = await Promise.all([pace(attack, { everyMs: 20, forMs }), honest(forMs)]);
    const median = (all: Sent[]) =>
      quantile(
        all.map(({ tookMs }) => tookMs),
        0.5,
      );
    const [before, beside] = [median(quiet), median(during)];
    console.log(`${what}: ${told(sent)}`);
    console.log(
      `a neighbour: median ${before.toFixed(1)} ms in peace, ${beside.toFixed(1)} ms beside it (× ${(beside / before).toFixed(2)}); ${told(during)}`,
    );
    expectUnharmed(during, quiet);
    return sent;
  }

  test('takes nothing from another: what is above the limit of its own address is refused', async () => {
    const sent = await flood('one address', () => post(flooded, conversations[1]));
    const counts = statuses(sent);
    expect(Object.keys(counts)).toEqual(['200', '429']);
    expect(counts[429]).toBeGreaterThan(sent.length / 4);
    const refused = sent.filter(({ status }) => status === 429);
    expect(
      refused.every(({ code, retryAfterSeconds }) => code === 'rate_limited' && retryAfterSeconds > 0),
    ).toBe(true);
    const stored = await product.admin.get('/events?name=flooded&limit=1');
    expect(Number(stored.headers.get('x-total'))).toBe(counts[200]);
  });

  test('of addresses that are guessed takes nothing from another, and is refused', async () => {
    const guess = () => post({ url: `${product.origin}/in/${String((number += 1)).padStart(43, 'x')}` });
    const counts = statuses(await flood('guessed addresses', guess));
    expect(Object.keys(counts)).toEqual(['404', '429']);
    expect(counts[429]).toBeGreaterThan(counts[404] ?? 0);
  });

  test('leaves no token and no secret in any log', () => {
    const logs = product.api.output() + product.worker.output();
    expect(logs).toContain('/in/:token');
    expect(logs).not.toContain(SECRET);
    for (const { url } of [flooded, neighbours]) expect(logs).not.toContain(url.split('/').at(-1));
    expect(logs).not.toContain('xxxxxxxxxx');
  });
});
