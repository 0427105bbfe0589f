import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { OwnProduct } from '../support/product.ts';
import { startTalk } from './honest-talk.ts';
import type { HonestTalk } from './honest-talk.ts';
import { attackBeside, countStatuses, measureQuiet, measureRequest } from './neighbour.ts';
import type { Ask, Seen } from './neighbour.ts';

const DATABASE = 'conversation_abuse';
/**
 * The load run sends 20 requests per second, the default rate limit of one caller (spec 2.10). The
 * product of this test has no rate limit.
 */
const ORDINARY = { everyMs: 50, rounds: 15, each: 2, most: 6 };
/** The load run sends one request per second if the body has the largest size. */
const LARGE = { everyMs: 1_000, rounds: 11, each: 1, most: 1 };
/** Users per command: ten commands fill a conversation, which holds 100 participants. */
const ASSIGNED = 10;
/**
 * The largest state of a conversation (docs/decisions/conversation-rules.md), without its results
 * and last commit.
 */
const MAX_STATE_BYTES = 256 * 1024;

/**
 * Each attack comes from one authenticated caller. All attacks but the last use one conversation.
 */
describe('a caller who abuses a conversation', () => {
  let product: OwnProduct;
  let store: MongoClient;
  let quiet: Seen;
  let talk: HonestTalk;
  let bot: KeyHolder;
  let agent: KeyHolder;
  let conversation: string;
  let users: string[];
  let form: string;
  let wide: string;

  beforeAll(async () => {
    product = await startApi(DATABASE);
    store = await MongoClient.connect(inject('mongodbUri'));
    talk = await startTalk(product);
    const organization = (await product.admin.post('/organizations', { name: 'Abusers' })).body.id as string;
    bot = await newUser(product, { role: 'bot', organization });
    agent = await newUser(product, { role: 'agent', organization });
    const made = Array.from({ length: 12 * ASSIGNED }, () =>
      product.admin.post('/users', { role: 'agent', organization }),
    );
    users = (await Promise.all(made)).map(({ body }) => body.id);
    form = (await product.admin.post('/forms', { name: 'F', organization })).body.id;
    wide = (await product.admin.post('/forms', { name: 'n'.repeat(256), organization })).body.id;
    const categories = [{ name: 'c', forms: [form] }];
    await product.admin.request('PATCH', `/organizations/${organization}`, { categories });
    conversation = await createConversation(agent, { category: 'c' });
    await agent.post('/messages', { conversation, type: 'form', text: '+F' });
    quiet = await measureQuiet(talk);
  });
  afterAll(async () => {
    await store.close();
    await product.close();
  });

  const command = (text: string, meta?: object) =>
    agent.once.post('/messages', { conversation, type: 'command', text, ...(meta ? { meta } : {}) });
  const long = (at: number) => `${at} ${'x'.repeat(9_000)}`;

  const ATTACKS: [string, readonly number[], Ask, rate?: typeof LARGE][] = [
    ['a bot at full speed', [201, 429], (at) => bot.once.post('/messages', { conversation, text: `${at}` })],
    [
      'arrays of as much text as a body may have',
      [201, 413],
      (at) => {
        const messages = Array.from({ length: 100 }, (_, n) => ({
          text: `${at} ${n} ${'x'.repeat(10_000)}`,
        }));
        return agent.once.post(`/conversations/${conversation}/messages`, messages);
      },
      LARGE,
    ],
    [
      'more participants than a conversation may have',
      [201, 422],
      (at) => {
        const first = (at * ASSIGNED) % users.length;
        return command('/assign', { users: users.slice(first, first + ASSIGNED) });
      },
    ],
    [
      'thousands of delayed messages',
      [201, 422],
      (at) => {
        const delay = at % 2 === 0 ? 86_400_000 : 500;
        const messages = Array.from({ length: 100 }, (_, n) => ({ text: `later ${at} ${n}`, delay }));
        return agent.once.post(`/conversations/${conversation}/messages`, messages);
      },
    ],
    ['a meta that grows', [201, 422], (at) => command(`/set k${at} ${long(at)}`)],
    [
      'values of a form that grow',
      [201, 422],
      (at) =>
        agent.once.post('/messages', {
          conversation,
          type: 'field',
          text: `.k${at} ${long(at)}`,
          meta: { form },
        }),
    ],
    [
      'results that grow',
      [201],
      (at) => {
        const results = Array.from({ length: 100 }, () => ({ form: wide, formName: 'n'.repeat(256) }));
        return agent.once.post('/messages', { conversation, type: 'results', text: `${at}`, results });
      },
    ],
    [
      'a conversation that is closed and queued again',
      [201],
      (at) =>
        at % 2 === 0
          ? command('/set status closed')
          : agent.once.post('/messages', { conversation, text: 'x', role: 'contact' }),
    ],
    [
      'one conversation after the other',
      [201],
      (at) => agent.once.post('/conversations', { name: `${at}`, messages: [{ text: 'x' }] }),
    ],
  ];

  test.each(ATTACKS)(
    'a caller who abuses a conversation does not harm others: %s',
    async (name, allowed, ask, rate = ORDINARY) => {
      const attack = (at: number) => measureRequest(() => ask(at));
      const sent = await attackBeside(talk, quiet, { name, attack, ...rate, parts: ATTACKS.length });
      console.log(JSON.stringify(countStatuses(sent)));
      // The API responds 503 if a conversation cannot do all the requested work in time.
      for (const status of Object.keys(countStatuses(sent)))
        expect([...allowed, 503]).toContain(Number(status));
      expect(await stateBytes()).toBeLessThan(MAX_STATE_BYTES);
      const next = await agent.post('/messages', { conversation, type: 'status', text: `after ${name}` });
      expect(next.status).toBe(201);
      const { status, body } = await product.admin.get(`/messages/${next.body.id}`);
      expect([status, body.sequence]).toEqual([200, next.body.sequence]);
    },
  );

  test('a caller who abuses a conversation cannot prevent the deletion of the conversation, and the neighbour loses no message', async () => {
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
