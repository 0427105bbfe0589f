import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Answer } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { startTalk } from './honest-talk.ts';
import type { HonestTalk } from './honest-talk.ts';
import { attackMs, expectUnharmed, pace, statuses, told } from './neighbour.ts';
import type { Sent } from './neighbour.ts';

const DATABASE = 'conversation_abuse';
/** Of one attack. */
const SHORT_MS = 3_000;
const QUIET_MS = 5_000;
/** The rate that one caller is let in with (spec 8), which tests switch off. */
const EVERY_MS = 50;
/** Of bodies as large as they may be. */
const LARGE_EVERY_MS = 1_000;
/**
 * What a conversation's state may have (docs/decisions/conversation-rules.md), without its results
 * and last commit.
 */
const MAX_STATE_BYTES = 256 * 1024;

type Attack = (at: number) => Promise<Answer<any>>;

/** What one authenticated caller can do to one conversation, as fast as they are let in. */
describe('somebody who abuses a conversation', () => {
  let product: Product;
  let store: MongoClient;
  let quiet: Sent[];
  let talk: HonestTalk;
  let bot: KeyHolder;
  let agent: KeyHolder;
  let conversation: string;
  let users: string[];
  let form: string;

  beforeAll(async () => {
    product = await startApi(DATABASE);
    store = await MongoClient.connect(inject('mongodbUri'));
    talk = await startTalk(product);
    const organization = (await product.admin.post('/organizations', { name: 'Abusers' })).body.id as string;
    bot = await newUser(product, { role: 'bot', organization });
    agent = await newUser(product, { role: 'agent', organization });
    const made = Array.from({ length: 200 }, () =>
      product.admin.post('/users', { role: 'agent', organization }),
    );
    users = (await Promise.all(made)).map(({ body }) => body.id);
    form = (await product.admin.post('/forms', { name: 'F', organization })).body.id;
    const categories = [{ name: 'c', forms: [form] }];
    await product.admin.request('PATCH', `/organizations/${organization}`, { categories });
    conversation = (await agent.post('/conversations', { category: 'c' })).body.id;
    await agent.post('/messages', { conversation, type: 'form', text: '+F' });
    await talk.goOn(QUIET_MS / 2);
    quiet = await talk.goOn(QUIET_MS);
  });
  afterAll(async () => {
    await store.close();
    await product.close();
  });

  const command = (text: string, meta?: object) =>
    agent.post('/messages', { conversation, type: 'command', text, ...(meta ? { meta } : {}) });
  const long = (at: number) => `${at} ${'x'.repeat(9_000)}`;

  const ATTACKS: [string, readonly number[], Attack, everyMs?: number][] = [
    ['a bot at full speed in it', [201, 429], (at) => bot.post('/messages', { conversation, text: `${at}` })],
    [
      'arrays of as much text as a body may have',
      [201, 413],
      (at) => {
        const messages = Array.from({ length: 100 }, (_, n) => ({
          text: `${at} ${n} ${'x'.repeat(10_000)}`,
        }));
        return agent.post(`/conversations/${conversation}/messages`, messages);
      },
      LARGE_EVERY_MS,
    ],
    [
      'more participants than it holds',
      [201, 422],
      (at) => command('/assign', { users: [users[at % users.length], users[(at + 1) % users.length]] }),
    ],
    [
      'thousands of delayed messages',
      [201, 422],
      (at) => {
        const delay = at % 2 === 0 ? 86_400_000 : 500;
        const messages = Array.from({ length: 100 }, (_, n) => ({ text: `later ${at} ${n}`, delay }));
        return agent.post(`/conversations/${conversation}/messages`, messages);
      },
    ],
    ['a meta that grows', [201, 422], (at) => command(`/set k${at} ${long(at)}`)],
    [
      'values of a form that grow',
      [201, 422],
      (at) =>
        agent.post('/messages', { conversation, type: 'field', text: `.k${at} ${long(at)}`, meta: { form } }),
    ],
    [
      'results that grow',
      [201],
      (at) => {
        const results = Array.from({ length: 100 }, (_, n) => ({ form: `f${n}`, formName: 'n'.repeat(200) }));
        return agent.post('/messages', { conversation, type: 'results', text: `${at}`, results });
      },
    ],
    [
      'a conversation that is closed and queued again',
      [201],
      (at) =>
        at % 2 === 0
          ? command('/set status closed')
          : agent.post('/messages', { conversation, text: 'x', role: 'contact' }),
    ],
    [
      'one conversation after the other',
      [201],
      (at) => agent.post('/conversations', { name: `${at}`, messages: [{ text: 'x' }] }),
    ],
  ];

  test.each(ATTACKS)('harms nobody but themselves: %s', async (name, allowed, attack, everyMs = EVERY_MS) => {
    const forMs = attackMs(SHORT_MS, ATTACKS.length);
    const [sent, during] = await Promise.all([pace(attack, { everyMs, forMs }), talk.goOn(forMs)]);
    console.log(`${name}: quiet ${told(quiet)}; neighbour ${told(during)}; attacker ${told(sent)}`);
    expectUnharmed(during, quiet);
    // A conversation that is asked for more than it can do in time says so.
    for (const status of Object.keys(statuses(sent))) expect([...allowed, 503]).toContain(Number(status));
    expect(await stateBytes()).toBeLessThan(MAX_STATE_BYTES);
    const next = await agent.post('/messages', { conversation, type: 'status', text: `after ${name}` });
    expect(next.status).toBe(201);
    const { status, body } = await product.admin.get(`/messages/${next.body.id}`);
    expect([status, body.sequence]).toEqual([200, next.body.sequence]);
  });

  test('can be got rid of, and nothing of the neighbour was lost', async () => {
    const { status, body } = await product.admin.get(`/conversations/${conversation}`);
    expect(status).toBe(200);
    expect(body.participants.length).toBeLessThanOrEqual(100);
    expect((await product.admin.request('DELETE', `/conversations/${conversation}`)).status).toBe(204);
    expect((await product.admin.get(`/conversations/${conversation}`)).status).toBe(404);
    await talk.expectNothingLost();
  });

  async function stateBytes(): Promise<number> {
    const found = await store
      .db(DATABASE)
      .collection<{ _id: string }>('conversations')
      .findOne({ _id: conversation });
    const { commit: _, results: __, ...state } = (found ?? {}) as Record<string, unknown>;
    return Buffer.byteLength(JSON.stringify(state));
  }
});
