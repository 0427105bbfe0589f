import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { HOSTILE_BODIES } from '../support/hostile-bodies.ts';
import type { Product } from '../support/product.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { startTalk } from './honest-talk.ts';
import type { HonestTalk } from './honest-talk.ts';
import { attackMs, expectUnharmed, pace, told } from './neighbour.ts';
import type { Sent } from './neighbour.ts';

const SHORT_MS = 5_000;
const ATTACKS = 3;
const CRUMBS = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1 << 20)}0\r\n\r\n`;

/**
 * A worker reads what all receivers answer, and runs all conversations: what one answers must not
 * hold up the others.
 */
describe('the answers of a hostile webhook', () => {
  let product: Product;
  let receiver: Receiver;
  let attacker: KeyHolder;
  let conversations: string[];
  let talk: HonestTalk;
  let quiet: Sent[];

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
    await beside(2_000);
    // What is compared is the answers: the posts that they answer are there in quiet times too.
    [, quiet] = await beside(SHORT_MS);
  });
  afterAll(async () => {
    await receiver.close();
    await product.close();
  });

  const replies = (token: string): Behaviour[] =>
    [...HOSTILE_BODIES.values()].map((messages) =>
      answer(200, `{"token":${JSON.stringify(token)},"messages":${messages.trimEnd()}}`),
    );

  async function attack(name: string, behaviours: readonly Behaviour[]): Promise<void> {
    const before = receiver.received.length;
    receiver.behave((response, request) =>
      behaviours[receiver.received.length % behaviours.length]?.(response, request),
    );
    const [baits, during] = await beside(attackMs(SHORT_MS, ATTACKS));
    receiver.behave(answer(200));
    console.log(
      `${name}: ${receiver.received.length - before} answers to ${baits.length} posts; posts of others quiet ${told(quiet)}; during ${told(during)}`,
    );
    expect(receiver.received.length - before).toBeGreaterThan(10);
    expectUnharmed(during, quiet);
    await talk.expectNothingLost();
  }

  function beside(forMs: number): Promise<[Sent[], Sent[]]> {
    const say = (at: number) =>
      attacker.post('/messages', {
        conversation: conversations[at % conversations.length],
        text: `bait ${at}`,
        role: 'contact',
      });
    return Promise.all([pace(say, { everyMs: 100, forMs }), talk.goOn(forMs)]);
  }

  test(
    'that are replies with a good token harm nobody else',
    () => attack('replies', replies(attacker.token)),
    600_000,
  );

  test(
    'that are replies with a bad token harm nobody else',
    () => attack('forged replies', replies('nobody’s')),
    600_000,
  );

  test(
    'that come in single bytes harm nobody else',
    () => attack('crumbs', [({ socket }) => void socket?.on('error', () => undefined).write(CRUMBS)]),
    600_000,
  );
});
