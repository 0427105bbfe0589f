import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../workflows/contract.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

let product: Product;
let second: { base: string };
let temporal: Client;

beforeAll(async () => {
  product = await sharedApi('operators');
  second = await secondSharedApi();
  temporal = await createTemporalClient(product);
});
afterAll(async () => {
  await temporal.connection.close();
  await product.close();
});

const newConversation = async (fields: object = {}) =>
  (await product.admin.post('/conversations', fields)).body.id as string;
const workflow = (id: string) => temporal.workflow.getHandle(`conversation:${id}`);

/** Spec 11.2: operators find and inspect conversation workflows. */
describe('a conversation workflow in Temporal', () => {
  const attributes = async (id: string) => {
    const { searchAttributes } = (await workflow(id).describe()) as {
      searchAttributes: Record<string, unknown>;
    };
    return Object.fromEntries(
      Object.entries(SEARCH_ATTRIBUTES).map(([name, attribute]) => [name, searchAttributes[attribute]]),
    );
  };
  const details = async (id: string) => {
    const metadata = await workflow(id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails;
  };

  test('a conversation workflow in Temporal is found by its current status, organization and category, and has its touchpoint as a search attribute', async () => {
    const { organization } = product;
    const { id: form } = (await product.admin.post('/forms', { name: 'f' })).body;
    const categories = [{ name: 'Sales', forms: [form] }];
    await product.admin.request('PATCH', `/organizations/${organization}`, { categories });
    const id = await newConversation({ messages: [{ text: 'hi', role: 'contact', touchpoint: 'sms' }] });
    await eventually(async () => (await attributes(id))['status'] !== undefined);
    expect(await attributes(id)).toMatchObject({ status: ['queued'], organization: [organization] });
    await product.admin.post('/messages', { conversation: id, type: 'command', text: '/set category Sales' });
    await product.admin.post('/messages', { conversation: id, type: 'command', text: '/accept' });
    await eventually(async () => {
      const now = await attributes(id);
      return String(now['status']) === 'active' && String(now['category']) === 'Sales';
    });
    const query = Object.entries({ status: 'active', organization, category: 'Sales' })
      .map(([name, value]) => `${SEARCH_ATTRIBUTES[name as 'status']} = "${value}"`)
      .join(' AND ');
    await eventually(async () => {
      for await (const found of temporal.workflow.list({ query })) {
        if (found.workflowId === `conversation:${id}`) return true;
      }
      return false;
    });
    expect(JSON.stringify(await attributes(id))).toContain('sms');
  });

  test('a conversation workflow in Temporal shows status, participants, messages, delayed messages and loop counters in its details', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const id = await newConversation();
    await bot.post('/messages', { conversation: id, text: 'one' });
    const late = await bot.post('/messages', { conversation: id, text: 'two', delay: 600_000 });
    expect(late.status).toBe(201);
    const text = await eventually(async () => {
      const now = await details(id);
      return now.includes('1, next due') && now;
    });
    expect(text).toContain('| Status | queued |');
    expect(text).toContain('| Messages | 1 |');
    expect(text).toMatch(new RegExp(`\\| Participants \\| .*${bot.user}`));
    expect(text).toContain(`| Bot loops | ${bot.user}: 2 of 20 unanswered, 1 of 8 the same |`);
    expect(text).not.toContain('two');
  });

  test('the delayed messages of a conversation are processed in order although its workflow was terminated and no post restarts it', async () => {
    const ids = [await newConversation(), await newConversation()];
    for (const conversation of ids) {
      for (const delay of [5_000, 6_000])
        await product.admin.post('/messages', { conversation, text: `${delay}`, delay });
      if (conversation === ids[0]) await workflow(conversation).terminate('a test of operators');
    }
    const texts = async (id: string) =>
      (await product.admin.get(`/messages?conversation=${id}&sort=sequence`)).body.map(
        ({ text }: { text: string }) => text,
      );
    for (const id of ids) {
      await eventually(async () => (await texts(id)).length >= 2);
      expect(await texts(id)).toEqual(['5000', '6000']);
    }
  });

  test('a timer fires and a snooze ends although the workflow was terminated', async () => {
    const { user } = await newUser(product, { role: 'bot' });
    const timer = { name: 'quiet', when: 'quiet', after: 3_000, event: 'no.type', user };
    const { body: organization } = await product.admin.post('/organizations', {
      name: 'timed',
      timers: [timer],
    });
    const [timed, snoozed] = [
      await newConversation({ organization: organization.id }),
      await newConversation(),
    ];
    const snooze = { conversation: snoozed, type: 'command', text: '/snooze PT3S' };
    expect((await product.admin.post('/messages', snooze)).status).toBe(201);
    for (const id of [timed, snoozed]) await workflow(id).terminate('a test of operators');
    await eventually(async () => {
      const { body } = await product.admin.get('/events?name=no.type');
      return body.some(({ body: { conversation } }: any) => conversation === timed);
    });
    await eventually(
      async () => (await product.admin.get(`/conversations/${snoozed}`)).body.status === 'queued',
    );
  });
});

/** Spec 6: the bot loop limits hold across all API processes. */
describe('the bot loop limits with two API processes', () => {
  const race = async (texts: string[]) => {
    const conversation = await newConversation();
    const bot = await newUser(product, { role: 'bot' });
    const callers = [bot, client(second.base, bot.token)];
    const answers = await Promise.all(
      texts.map((text, n) => callers[n % 2]!.post('/messages', { conversation, text })),
    );
    const { body } = await product.admin.get(`/messages?conversation=${conversation}`);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(body.length);
    const stored = body.length as number;
    expect(stored + refused.length).toBe(texts.length);
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    return { stored, codes: new Set(refused.map(({ body: { code } }) => code)) };
  };

  test('the bot loop limits with two API processes allow exactly eight identical messages', async () => {
    expect(await race(Array<string>(40).fill('the same'))).toEqual({
      stored: 8,
      codes: new Set(['bot_loop_identical']),
    });
  });

  test('the bot loop limits with two API processes allow exactly twenty consecutive messages', async () => {
    expect(await race(Array.from({ length: 60 }, (_, n) => `message ${n}`))).toEqual({
      stored: 20,
      codes: new Set(['bot_loop_consecutive']),
    });
  });
});
