import { Client, Connection } from '@temporalio/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ACTION_TYPES, CONTENT_TYPES, MESSAGE_ROLES, MESSAGE_TYPES } from '../../domain/message.ts';
import { newUser, startApi } from '../support/api.ts';
import type { Client as Caller } from '../support/client.ts';
import type { Product } from '../support/product.ts';

/** Contract 2, 6: whatever is sent, it is taken or refused in words, and the conversation goes on. */
describe('any message', () => {
  let product: Product;
  let temporal: Client;
  let callers: Caller[];

  beforeAll(async () => {
    product = await startApi('fuzz');
    temporal = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) });
    callers = [
      product.admin,
      await newUser(product, { role: 'agent' }),
      await newUser(product, { role: 'bot' }),
    ];
    const form = (await product.admin.post('/forms', { name: 'F', fields: [{ name: 'a', key: 'a' }] })).body
      .id;
    const categories = [{ name: 'c', forms: [form] }];
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { categories });
  });
  afterAll(async () => {
    await product.close();
    await temporal.connection.close();
  });

  test('is answered, never by a 5xx, and never wedges its conversation', { timeout: 240_000 }, async () => {
    const body = {
      organization: product.organization,
      category: 'c',
      categoryIndex: 0,
      contact: { profile: { email: 'fuzz@example.com' } },
      messages: [{ text: 'begin', role: 'contact' }],
    };
    const conversation = (await product.admin.post('/conversations', body)).body.id as string;
    const requests = fc.sample(anyRequest, { numRuns: 240, seed: 4711 });
    const statuses = new Map<number, number>();
    await inParallel(6, requests, async (request, at) => {
      const by = callers[at % callers.length] as Caller;
      const text = JSON.stringify(request);
      const { status, body: answer } = await by.post(`/conversations/${conversation}/messages`, text);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([200, 201, 400, 403, 409, 413, 422, 429], `${text}\n${JSON.stringify(answer)}`).toContain(
        status,
      );
      if (status >= 400) expect(answer.message).toEqual(expect.any(String));
    });
    // Both ways have to be gone often, or the sample says nothing.
    expect(statuses.get(201)).toBeGreaterThan(30);
    expect((statuses.get(400) ?? 0) + (statuses.get(422) ?? 0)).toBeGreaterThan(60);
    const last = await product.admin.post('/messages', { conversation, text: 'still here', role: 'agent' });
    expect(last.status).toBe(201);
    const { body: stored } = await product.admin.get(
      `/messages?conversation=${conversation}&sort=sequence&limit=1000`,
    );
    expect(stored.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      stored.map((_: unknown, at: number) => at + 1),
    );
    await expectNoFailedTask(conversation);
  });

  test('that no workflow knows how to read is refused by the workflow, which goes on', async () => {
    const conversation = (await product.admin.post('/conversations', {})).body.id as string;
    const handle = temporal.workflow.getHandle(`conversation:${conversation}`);
    const wrong: [unknown][] = [
      [{}],
      [null],
      [{ posts: [{}] }],
      [{ posts: [{ messages: [null], caller: {} }] }],
    ];
    for (const args of wrong) {
      await handle.executeUpdate('post', { args }).catch(() => undefined);
      await handle.executeUpdate('amend', { args }).catch(() => undefined);
    }
    expect((await product.admin.post('/messages', { conversation, text: 'fine' })).body.sequence).toBe(1);
    await expectNoFailedTask(conversation);
  });

  async function expectNoFailedTask(conversation: string): Promise<void> {
    const query = `WorkflowId = "conversation:${conversation}"`;
    for await (const { runId } of temporal.workflow.list({ query })) {
      const handle = temporal.workflow.getHandle(`conversation:${conversation}`, runId);
      const { events } = await handle.fetchHistory();
      expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    }
  }
});

async function inParallel<T>(lanes: number, all: T[], work: (one: T, at: number) => Promise<void>) {
  const left = all.map((one, at) => ({ one, at }));
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) await work(next.one, next.at);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '/',
    '>',
    '.',
    '+',
    '-',
    'é💥',
    '\u2028',
    '‮',
    '<b>x</b>',
    '__proto__',
    '$set',
    'x'.repeat(32_001),
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const telling = fc.constantFrom(
  ...[
    '/set',
    '/set status',
    '/set status closed',
    '/set status asleep',
    '/set name  two  words ',
    '/set @meta x',
  ],
  ...[
    '/set meta.',
    '/set meta.__proto__ x',
    '/set meta.a.b x',
    '/set $x 1',
    '/set categoryIndex 0',
    '/set categoryIndex 1e3',
  ],
  ...[
    '/set categoryIndex 99',
    '/set category c',
    '/set category',
    `/set name ${'n'.repeat(600)}`,
    `/set k ${'v'.repeat(20_000)}`,
  ],
  ...[
    '/assign',
    '/assign now',
    '/join',
    '/join x',
    '/accept',
    '/leave',
    '/notify',
    '/unknown thing',
    '>bot do it',
    '/ set a',
  ],
  ...[
    '.name Ada',
    '.email nope',
    '.email a@b',
    '.telephone 12',
    '.telephone +31612345678',
    '.address.city X',
    '.address. x',
  ],
  ...[
    '.__proto__ x',
    '.a.b c',
    `.long ${'y'.repeat(17_000)}`,
    '.x',
    '+F',
    '-F',
    '+',
    '+None',
    '-None',
    'plain words',
  ],
  ...['{"text":"nested"}', '[{"type":"command","text":"/leave"}]', '{"type":"postback","text":"{}"}'],
);
const anyText = fc.oneof({ weight: 3, arbitrary: telling }, { weight: 1, arbitrary: oddText });
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1e21, true, [], {}, 'x', [null], { a: [{}] }),
  fc.jsonValue(),
);
const ids = fc.oneof(fc.constant('ffffffffffffffffffffffff'), fc.string({ maxLength: 30 }));
const meta = fc.oneof(
  fc.record(
    {
      channels: fc.oneof(fc.array(ids, { maxLength: 3 }), oddValue),
      users: fc.oneof(fc.array(ids, { maxLength: 3 }), oddValue),
      form: fc.oneof(fc.constantFrom('F', 'G'), oddValue),
      category: oddValue,
      categoryIndex: oddValue,
      template: oddValue,
      targetUser: oddValue,
      targetBot: oddValue,
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(
    fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('a.b', '$x', 'constructor')),
    fc.jsonValue(),
    { maxKeys: 4 },
  ),
);
const action = fc.record(
  {
    type: fc.constantFrom(...ACTION_TYPES),
    text: oddText,
    uri: oddText,
    payload: anyText,
    fallback: oddText,
    size: fc.constantFrom('tall', 'huge'),
    meta,
  },
  { requiredKeys: ['type', 'text'] },
);
const item = fc.record(
  { title: oddText, actions: fc.array(action, { maxLength: 4 }), mediaUrl: oddText },
  { requiredKeys: ['title'] },
);
const result = fc.record(
  { form: ids, formName: oddText, type: fc.constantFrom('topic', 'static'), values: meta },
  { requiredKeys: ['form'] },
);
const sound = fc.record(
  {
    type: fc.constantFrom(...MESSAGE_TYPES),
    text: anyText,
    role: fc.constantFrom(...MESSAGE_ROLES),
    contentType: fc.constantFrom(...CONTENT_TYPES),
    isBackchannel: fc.boolean(),
    touchpoint: fc.constantFrom('web', 'email', 'sms', 'facebook', 'video'),
    delay: fc.constantFrom(0, 1, 50, 300, 1e6, 2_592_000_001, 0.5),
    service: oddText,
    user: ids,
    externalId: fc.constantFrom('e-1', 'e-2', 'e-3', ''),
    items: fc.array(item, { maxLength: 2 }),
    actions: fc.array(action, { maxLength: 2 }),
    results: fc.array(result, { maxLength: 2 }),
    meta,
  },
  { requiredKeys: ['text', 'type'] },
);
const plain = fc.record(
  {
    type: fc.constantFrom(...MESSAGE_TYPES),
    text: telling,
    role: fc.constantFrom(...MESSAGE_ROLES),
    delay: fc.constantFrom(1, 100),
  },
  { requiredKeys: ['text', 'type'] },
);
const broken = fc
  .tuple(sound, fc.constantFrom('text', 'type', 'meta', 'items', 'delay', 'results', 'user'), oddValue)
  .map(([message, field, value]) => ({ ...message, [field]: value }));
const anyMessage = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 3, arbitrary: sound },
  { weight: 1, arbitrary: broken },
);
const anyRequest: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: anyMessage },
  { weight: 2, arbitrary: fc.array(anyMessage, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
