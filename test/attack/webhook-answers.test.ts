import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { HOSTILE_BODIES } from '../support/hostile-bodies.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnProduct } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { startTalk } from './honest-talk.ts';
import type { HonestTalk } from './honest-talk.ts';
import { attackBeside, sendBeside } from './neighbour.ts';
import type { Seen } from './neighbour.ts';
import { busiestMs, readThreadTimes } from './thread-times.ts';

const ATTACKS = 3;
const ROUNDS = 15;
/**
 * Hostile bodies per round. In the everyday run (not `npm run test:load`), each hostile body is
 * sent at least once over all rounds.
 */
const EACH = Math.ceil(HOSTILE_BODIES.size / ROUNDS);
const WITHIN = { withinMs: 90_000, everyMs: 20 };
const CRUMBS = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1 << 20)}0\r\n\r\n`;

const SERVICES = 40;
const BAITS = 5;
/** See ALLOWANCE of deliveries/concurrency-limits.ts. */
const BURST_MS = 1_000;
/** Charged costs are estimates: a tenth of the thread may be more on another machine. */
const SHARE = 0.2;
const JSON_TYPE = { 'content-type': 'application/json' };
const NUMBERS = `{"token":"x","messages":[${'1.5e10,'.repeat(9_990)}1]}`.padEnd(1 << 20);
const TRAILERS = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${'a: b\r\n'.repeat(50_000)}`;

const raw =
  (bytes: string): Behaviour =>
  ({ socket }) =>
    void socket?.on('error', () => undefined).write(bytes);

/**
 * A worker reads the responses of all receivers and runs all conversations, so a response must not
 * delay other conversations.
 */
describe('the responses of a hostile webhook', () => {
  let product: OwnProduct;
  let receiver: Receiver;
  let attacker: KeyHolder;
  let conversations: string[];
  let talk: HonestTalk;
  let quiet: Seen;
  let baits = 0;

  beforeAll(async () => {
    product = await startApi('webhook_answers');
    talk = await startTalk(product);
    receiver = await startReceiver();
    const organization = (await product.admin.post('/organizations', { name: 'Hostile' })).body.id;
    attacker = await newUser(product, { role: 'bot', organization });
    const params = { url: receiver.url, events: ['message.create.*'] };
    await product.admin.post('/services', { name: 'hostile', type: 'webhook', organization, params });
    conversations = await Promise.all(
      Array.from({ length: 10 }, async () => (await attacker.post('/conversations', {})).body.id),
    );
    // The baseline is measured under the same posts with ordinary responses, so attacks differ only
    // in the responses.
    quiet = (await sendBeside(talk, attackOf('ordinary responses'))).during;
  });
  afterAll(async () => {
    await receiver.close();
    await product.close();
  });

  const replies = (token: string): Behaviour[] =>
    [...HOSTILE_BODIES.values()].map((messages) =>
      respondWith(200, `{"token":${JSON.stringify(token)},"messages":${messages.trimEnd()}}`),
    );

  /** Makes the receiver respond with the behaviours in turn while a neighbour posts. */
  async function attack(
    name: string,
    behaviours: readonly Behaviour[],
    form: Parameters<typeof attackOf>[1] = {},
  ): Promise<void> {
    const before = receiver.received.length;
    receiver.behave((response, request) =>
      behaviours[receiver.received.length % behaviours.length]?.(response, request),
    );
    const { length } = await attackBeside(talk, quiet, attackOf(name, form));
    receiver.behave(respondWith(200));
    expect(receiver.received.length - before).toBeGreaterThanOrEqual(length);
    await talk.expectNothingLost();
  }

  /** Posts to one of the conversations and waits until the receiver has the message. */
  async function bait(): Promise<void> {
    const text = `bait ${(baits += 1)}.`;
    const conversation = conversations[baits % conversations.length];
    const message = { conversation, text, role: 'contact' };
    expect((await attacker.post('/messages', message)).status).toBe(201);
    await waitForArrival(text);
  }

  /**
   * Posts to a new conversation, because a failed delivery delays later deliveries of the same
   * conversation.
   */
  async function baitAnew(): Promise<void> {
    const text = `bait ${(baits += 1)}.`;
    expect((await attacker.post('/conversations', { messages: [{ text }] })).status).toBe(201);
    await waitForArrival(text);
  }

  const waitForArrival = (text: string) =>
    eventually(() => receiver.received.some(({ body }) => body.includes(text)), WITHIN);

  function attackOf(name: string, { ask = bait, each = EACH } = {}) {
    const rate = { rounds: ROUNDS, each, most: 2 * each, everyMs: 100 };
    return { name, attack: ask, ...rate, parts: ATTACKS };
  }

  test('replies of a hostile webhook with a valid token do not harm others', () =>
    attack('replies', replies(attacker.token)));

  test('replies of a hostile webhook with an invalid token do not harm others', () =>
    attack('forged replies', replies('nobody’s')));

  test('responses that a hostile webhook sends byte by byte do not harm others', () => {
    return attack('crumbs', [raw(CRUMBS)], { ask: baitAnew, each: 1 });
  });

  test(
    'posts are answered while 40 webhooks of another organization answer with 1 MiB of numbers or without end',
    { timeout: 900_000 },
    async () => {
      const { id: organization } = (await product.admin.post('/organizations', { name: 'Long' })).body;
      const owner = await newUser(product, { role: 'admin', organization });
      const long = await startReceiver();
      const register = async (_: unknown, at: number) => {
        const params = { url: `${long.url}/${at}`, events: ['message.create.*'] };
        const service = { name: `long ${at}`, type: 'webhook', organization, params };
        await untilActive(owner, await owner.post('/services', service));
      };
      await Promise.all(Array.from({ length: SERVICES }, register));

      /** Returns the times of the worker while 40 deliveries begin beside each honest post. */
      async function measure(behaviour: Behaviour): Promise<{ cpuMs: number; tookMs: number }> {
        long.behave(behaviour);
        const [before, begun] = [readThreadTimes([product.worker.pid]), performance.now()];
        for (let round = 0; round < BAITS; round += 1) {
          const { length } = long.received;
          const sent = await owner.post('/conversations', { messages: [{ text: 'bait' }] });
          expect(sent.status).toBe(201);
          expect((await talk.requests['posts']!(round)).status).toBe(201);
          await eventually(() => long.received.length > length, WITHIN);
        }
        const cpuMs = busiestMs(before, readThreadTimes([product.worker.pid]));
        return { cpuMs, tookMs: performance.now() - begun };
      }

      const ordinary = await measure(respondWith(200, 'x'.repeat(100)));
      for (const hostile of [respondWith(200, NUMBERS, JSON_TYPE), raw(TRAILERS)]) {
        const { cpuMs, tookMs } = await measure(hostile);
        console.log(
          `ordinary ${ordinary.cpuMs.toFixed(0)} ms, hostile ${cpuMs.toFixed(0)} ms in ${tookMs.toFixed(0)} ms`,
        );
        expect(cpuMs).toBeLessThan(2 * ordinary.cpuMs + BURST_MS + SHARE * tookMs);
      }
      long.behave(respondWith(200));
      await talk.expectNothingLost();
      await long.close();
    },
  );
});
