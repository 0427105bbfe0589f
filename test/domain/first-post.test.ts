import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decidePost } from '../../domain/conversations/decide.ts';
import { assertAcceptableFirstPost } from '../../domain/conversations/first-post.ts';
import type { FirstPost } from '../../domain/conversations/first-post.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Refusal } from '../../domain/messages/post.ts';
import type { MessageDraft, MessageFacts } from '../../domain/messages/message.ts';
import { NOW, ORGANIZATION, agent, bot, caller, contact, draft, id } from '../support/conversations.ts';

const RUNS = Number(process.env['FC_RUNS'] ?? 400);

const eventBot = caller('bot', 'b2', 'event');
const categories = [
  { name: 'sales', forms: ['f1', 'f2'] },
  { name: 'support', forms: ['f2'] },
];

/** Returns the refusal that `work` throws, or undefined. */
function findRefusal(work: () => unknown): Refusal | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, details, retryAfterSeconds } = error;
    return { code, message, ...definedFields({ details, retryAfterSeconds }) };
  }
}

/** Returns an error message without its path, names and numbers. */
function withoutValues(message: string): string {
  return message.replace(/^messages\.\d+: /, '').replace(/"[^"]*"|\d[\dT:.Z-]*/g, '…');
}

type Input = Partial<MessageInput>;

const long = (min: number, max: number) => fc.integer({ min, max }).map((length) => 'x'.repeat(length));

const said = fc.constantFrom<Input>(
  {},
  { text: 'Again' },
  { role: 'contact' },
  { role: 'agent', isBackchannel: false },
  { type: 'card', touchpoint: 'email', service: 's1' },
  { type: 'postback', role: 'contact' },
  { type: 'tag' },
);

const setting = fc.oneof(
  fc.constantFrom('status closed', 'status gone', 'category sales', 'category', 'categoryIndex 1'),
  fc.constantFrom('categoryIndex 7', 'categoryIndex x', '@nothing x', 'meta. x', 'a.b x', ''),
  long(480, 520).map((text) => `name ${text}`),
  long(190, 210).map((text) => `category ${text}`),
  fc.tuple(fc.integer({ min: 0, max: 3 }), long(5_000, 6_000)).map(([key, text]) => `meta.k${key} ${text}`),
);

const assignment = fc
  .uniqueArray(fc.integer({ min: 0, max: 130 }), { minLength: 1, maxLength: 60, size: 'max' })
  .map((users): Input => ({
    type: 'command',
    text: '/assign',
    meta: { users: users.map((at) => `u${at}`) },
  }));

const command = fc.oneof(
  setting.map((text): Input => ({ type: 'command', text: `/set ${text}` })),
  fc.constantFrom<Input>(
    { type: 'command', text: '/accept' },
    { type: 'command', text: '/join' },
    { type: 'command', text: '/leave' },
    { type: 'command', text: '/leave now' },
    { type: 'command', text: '/notify' },
    { type: 'command', text: '/notify', meta: { channels: ['c1'] } },
    { type: 'command', text: '/notify', meta: { channels: ['c9'] } },
    { type: 'command', text: '/assign' },
    { type: 'command', text: '/assign', meta: { users: ['u9'] } },
    { type: 'command', text: 'nothing' },
  ),
  assignment,
);

const form = fc.constantFrom<Input>(
  { type: 'form', text: '+Order', meta: { category: 'sales' } },
  { type: 'form', text: '+Order', meta: { categoryIndex: 1 } },
  { type: 'form', text: '+Order' },
  { type: 'form', text: '-Order' },
  { type: 'form', text: 'Order' },
  { type: 'field', text: '.email ada@example.com' },
  { type: 'field', text: '.note hello' },
  { type: 'field', text: '.guests 2', meta: { form: 'Order' } },
  { type: 'field', text: '.unknown 2', meta: { form: 'f1' } },
  { type: 'results', text: 'done', results: [{ form: 'f1', values: {} }] },
  { type: 'results', text: 'done', results: [{ form: 'f9', formName: 'Other', values: {} }] },
);

const values = fc
  .tuple(fc.integer({ min: 0, max: 3 }), long(7_000, 9_000))
  .map(([at, text]): Input => ({ type: 'field', text: `.k${at} ${text}`, meta: { form: 'f1' } }));

const factsOf = fc.record(
  {
    categories: fc.constant(categories),
    form: fc.constantFrom(
      { id: 'f1', name: 'Order', type: 'topic' as const, keys: [] as string[] },
      { id: 'f1', name: 'Order', type: 'static' as const, keys: ['guests'] },
      { id: 'f3', name: 'Order', type: 'topic' as const, keys: [] as string[] },
    ),
    assignees: fc.constant(
      Array.from({ length: 131 }, (_, at) => ({ user: `u${at}`, organization: ORGANIZATION, role: 'agent' })),
    ),
    channels: fc.constantFrom(
      { online: ['c1'], offline: ['c2'] },
      { online: Array.from({ length: 600 }, (_, at) => `channel${at}`), offline: [] },
    ),
    fingerprint: fc.constantFrom('one', 'two'),
  },
  { requiredKeys: ['categories', 'assignees', 'fingerprint'] },
) as fc.Arbitrary<MessageFacts>;

const messageWith = (input: fc.Arbitrary<Input>, facts = factsOf) =>
  fc.record({
    input,
    delay: fc.constantFrom(null, null, null, 0, 60_000),
    externalId: fc.constantFrom(null, null, null, null, null, null, 'e1', 'e2'),
    facts,
  });

const order = { id: 'f1', name: 'Order', type: 'topic' as const, keys: [] };
const ofOrder = fc.constant<MessageFacts>({ categories, form: order });
const ofChatter = (texts: number) =>
  fc.integer({ min: 1, max: texts }).map((text): MessageFacts => ({ fingerprint: `text ${text}` }));
const openOrder = fc.constant<Input>({ type: 'form', text: '+Order', meta: { category: 'sales' } });
const anything = fc.oneof(
  { weight: 6, arbitrary: said },
  { weight: 3, arbitrary: command },
  { weight: 4, arbitrary: form },
  { weight: 1, arbitrary: values },
);

// Lists of one kind of message reach limits that mixed lists rarely reach.
const messageLists = fc.oneof(
  fc.array(messageWith(anything), { maxLength: 20 }),
  fc.array(messageWith(fc.constant({}), ofChatter(2)), { minLength: 5, maxLength: 25, size: 'max' }),
  fc.array(messageWith(fc.constant({}), ofChatter(26)), { minLength: 5, maxLength: 40, size: 'max' }),
  fc.array(messageWith(assignment), { maxLength: 12, size: 'max' }),
  fc
    .tuple(
      messageWith(openOrder, ofOrder),
      fc.array(messageWith(fc.oneof(openOrder, values), ofOrder), { maxLength: 12, size: 'max' }),
    )
    .map(([first, rest]) => [first, ...rest]),
);

type Message = ReturnType<typeof messageWith> extends fc.Arbitrary<infer T> ? T : never;

const posts = fc
  .record({
    by: fc.constantFrom(bot, bot, agent, contact, eventBot),
    hasContact: fc.boolean(),
    fields: fc.record(
      {
        name: long(1, 510),
        category: fc.constantFrom('sales', 'other', 'x'.repeat(201)),
        categoryIndex: fc.constantFrom(0, 1),
        status: fc.constantFrom('queued' as const, 'closed' as const),
        meta: fc.constantFrom({}, { k0: 'x'.repeat(3_000) }, { k9: 'x'.repeat(20_000) }),
      },
      { requiredKeys: [] },
    ),
    messages: messageLists,
    profile: fc.option(fc.constant({ name: 'Ada', 'address.city': 'Paris' }), { nil: undefined }),
  })
  .map(({ by, hasContact, fields, messages, profile }): FirstPost => {
    const participates = by.role !== 'viewer';
    return {
      caller: by,
      create: {
        id: id(),
        slug: 'conversation-slug',
        organization: ORGANIZATION,
        createdBy: by.user,
        createdAt: NOW,
        ...(hasContact ? { contact: contact.user } : {}),
        ...(participates ? { creator: { user: by.user, organization: ORGANIZATION, role: by.role } } : {}),
        ...fields,
      },
      messages: messages.flatMap((one) => draftOrNone(by, one)),
      ...(profile ? { reopen: true, amends: [{ kind: 'set', field: 'name', value: 'Other' }], profile } : {}),
    };
  });

/** Returns a list with the draft of a message, or an empty list if the draft is refused. */
function draftOrNone(by: typeof bot, { input, delay, externalId, facts }: Message): MessageDraft[] {
  try {
    return [draft(by, { ...input, delay, externalId }, { facts })];
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** The outcomes that the generated posts must reach: acceptance and these refusals. */
const CASES = [
  'accepted',
  'A conversation holds at most … bytes of meta as JSON.',
  'A conversation holds at most … bytes of open forms as JSON.',
  'A conversation holds at most … characters of name.',
  'A conversation holds at most … participants.',
  'At most … identical messages per bot and conversation in … minutes; blocked until …',
  'At most … consecutive messages per bot and conversation in … minutes without a reply; blocked until …',
  'The form … is not open in this conversation.',
  'The form … is not listed under the category ….',
];

const FIRST: FirstPost = {
  caller: bot,
  create: {
    id: id(),
    slug: 'conversation-slug',
    organization: ORGANIZATION,
    createdBy: bot.user,
    createdAt: NOW,
  },
  messages: [],
};

describe('the rule for a post that creates its conversation', () => {
  test('the check of a first post refuses exactly the posts that decidePost refuses, with the same error', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(posts, (post) => {
        const refusal = findRefusal(() => decidePost(null, post, { now: NOW, findKnown: () => undefined }));
        expect(findRefusal(() => assertAcceptableFirstPost(post, NOW))).toEqual(refusal);
        met.add(refusal === undefined ? 'accepted' : withoutValues(refusal.message));
      }),
      { numRuns: RUNS, seed: 20_260_301 },
    );

    expect(CASES.filter((one) => !met.has(one))).toEqual([]);
  });

  test('the check of a first post names the invalid message among several messages', () => {
    const messages = [draft(bot, {}), draft(bot, { type: 'form', text: '-Order' })];
    expect(findRefusal(() => assertAcceptableFirstPost({ ...FIRST, messages }, NOW))).toMatchObject({
      code: 'unprocessable',
      message: 'messages.1: The form "Order" is not open in this conversation.',
    });
  });

  test('the check of a first post refuses the ninth identical message of a bot', () => {
    const same = Array.from({ length: 9 }, () => draft(bot, {}, { facts: { fingerprint: 'one' } }));
    const refusalOf = (messages: MessageDraft[]) =>
      findRefusal(() => assertAcceptableFirstPost({ ...FIRST, messages }, NOW));
    expect(refusalOf(same.slice(1))).toBeUndefined();
    expect(refusalOf(same)?.code).toBe('bot_loop_identical');
  });
});
