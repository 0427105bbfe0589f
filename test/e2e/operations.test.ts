import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAVED_VIEWS } from '../../domain/operators/saved-views.ts';
import { resolveTemporal } from '../../deploy/local/temporal.ts';
import { SEARCH_ATTRIBUTE_TYPES } from '../../workflows/client/search-attributes.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/contract.ts';
import type { SearchAttribute } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { newEventType } from '../support/event-types.ts';
import { operatorShell, readStep } from '../support/operator-shell.ts';
import type { OperatorShell } from '../support/operator-shell.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';

/** Runs the commands of docs/operations.md, step by step, in the shell of an operator. */

let product: Product;
let operator: OperatorShell;
let bot: KeyHolder;

beforeAll(async () => {
  product = await sharedApi('operations');
  operator = await operatorShell(product);
  bot = await newUser(product, { role: 'bot' });
});
afterAll(() => product.close());

const newConversation = async (fields: object = {}) =>
  (await product.admin.post('/conversations', fields)).body.id as string;

/** Spec 11.4: an operator can pause a conversation. */
describe('a conversation paused by an operator', () => {
  let id: string;
  let message: string;

  beforeAll(async () => {
    id = await newConversation();
    message = (await bot.post('/messages', { conversation: id, text: 'before' })).body.id as string;
    await operator.step('Pause', 0, { id });
  });

  test('a conversation paused by an operator refuses every change at once with a reason', async () => {
    await newEventType(product, 'into.paused', `{"conversation": "${id}", "messages": [{"text": "event"}]}`);
    const { organization } = product;
    const attempts = {
      post: () => bot.post('/messages', { conversation: id, text: 'refused' }),
      edit: () => bot.request('PATCH', `/messages/${message}`, { text: 'refused' }),
      remove: () => product.admin.request('DELETE', `/messages/${message}`),
      repair: () => product.admin.request('PATCH', `/conversations/${id}`, { name: 'refused' }),
      event: () => bot.post('/events/into.paused', {}),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      const { status, body, headers } = await attempt();
      // The refusal is immediate. An update that waits until its deadline would be refused with the
      // code `unavailable`.
      expect([name, status, body.code], name).toEqual([name, 503, 'paused']);
      expect(body.message).toContain('An operator has paused this conversation');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const upsert = {
      organization,
      type: 'contact',
      contact: { profile: { email: 'paused@example.com' } },
      messages: [{ text: 'hello' }],
    };
    const contact = (await product.admin.post('/conversations', upsert)).body.id as string;
    await operator.step('Pause', 0, { id: contact });
    expect((await product.admin.post('/conversations', upsert)).body.code).toBe('paused');
  });

  test('a conversation paused by an operator can be read, and accepts messages again after it is resumed', async () => {
    expect((await product.admin.get(`/conversations/${id}`)).status).toBe(200);
    await operator.step('Pause', 1, { id });
    await eventually(
      async () => (await bot.post('/messages', { conversation: id, text: 'after' })).status === 201,
    );
    // The event that arrived during the pause was kept and runs after it.
    const texts = await eventually(async () => {
      const { body } = await product.admin.get(`/messages?conversation=${id}`);
      const said = body.map(({ text }: { text: string }) => text) as string[];
      return said.includes('event') && said;
    });
    expect(texts.toSorted()).toEqual(['after', 'before', 'event']);
  });
});

const texts = async (id: string) => {
  const { body } = await product.admin.get(`/messages?conversation=${id}&sort=sequence`);
  return body.map(({ text }: { text: string }) => text) as string[];
};

describe('the operations guide', () => {
  // `npm run test:compose` runs these tests too, but starts Temporal differently.
  const onCompose = process.env['PARLANCE_TEST_COMPOSE'] !== undefined;

  test.skipIf(onCompose)(
    'the commands of the operations guide use the path and the address that npm start prints',
    async () => {
      const { path } = await resolveTemporal({ env: process.env, log: () => undefined });
      const address = product.environment['TEMPORAL_ADDRESS'] ?? '';
      const begin = readStep('Begin', 0);
      const lines = `shopt -s expand_aliases\n${begin}\ntemporal workflow count`;
      expect(await operator.run(lines, { path, address })).toMatch(/Total/);
    },
  );

  test('the operations guide creates every search attribute with its type, for namespaces in which workers may not create them', async () => {
    const lines = readStep('Search attributes of a namespace', 0);
    const made = [...lines.matchAll(/--name (\w+) --type (\w+)/g)].map(([, name, type]) => [name, type]);
    const wanted = Object.entries(SEARCH_ATTRIBUTE_TYPES).map(([name, type]) => [
      SEARCH_ATTRIBUTES[name as SearchAttribute],
      type,
    ]);
    expect(made.toSorted()).toEqual(wanted.toSorted());
    // The attributes already exist here, and creating them again has no effect.
    await operator.run(lines);
  });

  test('the commands of the operations guide find conversations by every filter and every view', async () => {
    const { organization } = product;
    const contact = '0'.repeat(24);
    await operator.step('Find', 0, { organization, contact, 'service name': 'CRM' });
    const guide = await readFile('docs/operations.md', 'utf8');
    for (const { name, query } of SAVED_VIEWS) {
      expect(await operator.run(`temporal workflow count --query '${query}'`), name).toMatch(/Total/);
      expect(guide, name).toMatch(new RegExp(`\\| ${name} +\\| \`${escapeRegExp(query)}\` `));
    }
    await newConversation({ name: 'Wayfarer' });
    expect(await operator.step('Find', 1, { word: 'wayfarer' })).toContain('Wayfarer');
  });

  test('the command of the operations guide for a report returns the figures of the organization', async () => {
    const { organization } = product;
    expect(JSON.parse(await operator.step('Report', 0, { organization }))).toMatchObject({
      organization,
      since: '2026-02-28T23:00:00.000Z',
      times: { accept: { conversations: expect.any(Number) } },
    });
  });

  test('the commands of the operations guide inspect, repair, restart, reset and remove a conversation', async () => {
    const id = await newConversation({ name: 'Understood' });
    await bot.post('/messages', { conversation: id, text: 'one' });
    expect(await operator.step('Understand', 0, { id })).toMatch(
      /Understood[^]*ConversationStatus[^]*WorkflowExecutionStarted/,
    );
    await operator.step('Start a conversation afresh', 0, { id });
    expect(await operator.step('Repair', 0, { id })).toContain('"status":"closed"');
    expect((await bot.post('/messages', { conversation: id, text: 'two' })).status).toBe(201);
    await operator.step('Start a conversation afresh', 1, { id });
    await bot.post('/messages', { conversation: id, text: 'three' });
    expect(await texts(id)).toEqual(['one', 'two', 'three']);
    expect(await operator.step('Remove', 0, { id })).toContain('deletion of a conversation');
    expect((await product.admin.get(`/conversations/${id}`)).status).toBe(404);
  });

  test('the commands of the operations guide unblock a bot, through the API and through Temporal', async () => {
    const id = await newConversation();
    const say = () => bot.post('/messages', { conversation: id, text: 'the same' });
    const blocked = async () => {
      for (let n = 0; n < 8; n += 1) expect((await say()).status).toBe(201);
      return (await say()).status === 429;
    };
    expect(await blocked()).toBe(true);
    await operator.step('Unblock a bot', 0, { id, bot: bot.user });
    expect(await blocked()).toBe(true);
    await operator.step('Unblock a bot', 1, { id, user: bot.user });
    expect((await say()).status).toBe(201);
  });

  test('the commands of the operations guide process and cancel delayed messages', async () => {
    const id = await newConversation();
    const late = async (text: string) =>
      (await bot.post('/messages', { conversation: id, text, delay: 600_000 })).body.id as string;
    await late('first');
    await late('second');
    await operator.step('Hurry or cancel a delay', 0, { id });
    await eventually(async () => (await texts(id)).join() === 'first,second');
    await late('third');
    await operator.step('Hurry or cancel a delay', 1, { id, user: bot.user });
    await eventually(async () => (await texts(id)).join() === 'first,second,third');
    const message = await late('never');
    expect(await operator.step('Hurry or cancel a delay', 2, { id, message })).toContain('never');
    const gone = await product.admin.post(`/conversations/${id}/hurry`, { message });
    expect([gone.status, gone.body.message]).toEqual([404, 'The delayed message does not exist.']);
    expect(await texts(id)).toHaveLength(3);
  });

  test('the commands of the operations guide replay deliveries of a webhook, and disable and activate it', async () => {
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['message.create'] };
    const { body: service } = await product.admin.post('/services', { name: 'CRM', type: 'webhook', params });
    await eventually(
      async () => (await product.admin.get(`/services/${service.id}`)).body.status === 'active',
    );
    const placeholders = {
      service: service.id as string,
      day: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    };
    const id = await newConversation();
    const [disable = '', activate = ''] = readStep('Webhooks', 2).trim().split('\n');
    await operator.run(disable, placeholders);
    await bot.post('/messages', { conversation: id, text: 'skipped' });
    await operator.run(activate, placeholders);
    await eventually(
      async () => (await product.admin.get(`/services/${service.id}`)).body.status === 'active',
    );
    expect(await operator.step('Webhooks', 1, placeholders)).toContain('"replayed":1');
    await eventually(() => receiver.received.some(({ body }) => body.includes('skipped')));
    expect(await operator.step('Webhooks', 0, { ...placeholders, shard: '0' })).toContain('"delivered"');
    await receiver.close();
  });

  test('the commands of the operations guide fix an expression and retry the event', async () => {
    const type = await newEventType(product, 'mended', '$error("not yet")');
    expect((await bot.post('/events/mended', {})).status).toBe(422);
    const [{ id: event }] = (await product.admin.get('/events?name=mended')).body;
    const id = await newConversation();
    const expression = `{"conversation": "${id}", "messages": [{"text": "mended"}]}`;
    const said = await operator.step('Business events', 0, { 'event type': type, event, expression });
    expect(said).toContain('not yet');
    expect(await texts(id)).toEqual(['mended']);
  });
});

/** Spec 6.4, 6.10: requests that end a block or process delayed messages early. */
describe('the API for operators', () => {
  test.each(['unblock', 'hurry'])(
    'a request of an operator requires an admin, a conversation that exists and a valid body: %s',
    async (step) => {
      const id = await newConversation();
      expect((await bot.post(`/conversations/${id}/${step}`, {})).status).toBe(403);
      expect((await product.admin.post(`/conversations/${'f'.repeat(24)}/${step}`, {})).status).toBe(404);
      expect((await product.admin.post(`/conversations/${id}/${step}`, { bot: 1, message: 1 })).status).toBe(
        400,
      );
      const { status, body } = await product.admin.post(`/conversations/${id}/${step}`, {});
      expect([status, body.id]).toEqual([200, id]);
    },
  );
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
