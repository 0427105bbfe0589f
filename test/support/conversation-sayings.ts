import fc from 'fast-check';
import type { Effect } from '../../domain/conversations/change.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import type { Caller, MessageDraft } from '../../domain/messages/message.ts';
import type { Post } from '../../domain/messages/post.ts';
import type { ModelMessage, Upsert } from './conversation-model.ts';
import { ORGANIZATION, agent, bot, caller, contact, draft, secondAgent } from './conversations.ts';

/** The callers of generated posts. The first bot is listed twice: it also posts through events. */
export const callers: Caller[] = [
  bot,
  caller('bot', 'b2'),
  caller('bot', 'b1', 'event'),
  agent,
  secondAgent,
  contact,
];
const commands = [
  '/accept',
  '/leave',
  '/join',
  '/notify',
  '/assign',
  '/unknown',
  '/set status active',
  '/set status closed',
  '/set status queued',
];
const kinds = { bot: 'bot', agent: 'agent', admin: 'agent', viewer: 'contact' } as const;

export interface PostedMessage {
  by: Caller;
  role: 'contact' | 'agent' | 'bot';
  type: 'chat' | 'status' | 'command';
  isBackchannel: boolean;
  text: string;
  delay: number;
}

const anyCaller = fc.oneof(
  { weight: 3, arbitrary: fc.constant(bot) },
  { weight: 2, arbitrary: fc.constantFrom(...callers) },
);

const anyWords = fc.record({
  role: fc.constantFrom('contact', 'agent', 'bot'),
  type: fc.constantFrom('chat', 'chat', 'chat', 'status', 'command'),
  isBackchannel: fc.boolean(),
  words: fc.constantFrom<string>('Hi', 'Ho', 'Ha', 'He'),
  command: fc.constantFrom(...commands),
  delay: fc.constantFrom(0, 0, 0, 0, 1000, 90_000),
});

type MessageWords = typeof anyWords extends fc.Arbitrary<infer T> ? T : never;

function chatter(n: number): MessageWords {
  return { role: 'bot', type: 'chat', isBackchannel: true, words: `Fact ${n}`, command: '/join', delay: 0 };
}

/**
 * Generates the messages of one post by one caller: a single message, or several equal or different
 * messages.
 */
export const sayings: fc.Arbitrary<PostedMessage[]> = fc
  .record({
    by: anyCaller,
    several: fc.oneof(
      fc.array(anyWords, { minLength: 1, maxLength: 1 }),
      fc.array(anyWords, { minLength: 2, maxLength: 6 }),
      fc.record({ one: anyWords, times: fc.integer({ min: 2, max: 9 }) }).map(({ one, times }) => {
        return Array.from({ length: times }, () => one);
      }),
      fc
        .array(fc.integer({ min: 1, max: 99 }), { minLength: 5, maxLength: 15 })
        .map((all) => all.map(chatter)),
    ),
  })
  .map(({ by, several }) =>
    several.map(({ words, command, ...one }) => {
      if (by.role === 'viewer') return { ...one, by, role: 'contact', type: 'chat', text: words };
      return { ...one, by, text: one.type === 'command' ? command : words };
    }),
  );

/** Converts a posted message to the draft that the API creates. */
export function toDraft(
  { by, role, type, isBackchannel, text, delay }: PostedMessage,
  nowMs: number,
): MessageDraft {
  const assigned = { user: secondAgent.user, organization: ORGANIZATION, role: 'agent' };
  const meta = text === '/assign' ? { meta: { users: [secondAgent.user] } } : {};
  const input = { role, type, isBackchannel, text, ...(delay ? { delay } : {}), ...meta };
  const facts = { fingerprint: `${type} ${text}`, ...(text === '/assign' ? { assignees: [assigned] } : {}) };
  return draft(by, input, { now: new Date(nowMs).toISOString(), facts });
}

/** Converts a posted message to a message of the reference model. */
export function toModelMessage({ by, role, type, isBackchannel, text }: PostedMessage): ModelMessage {
  const spoken = type === 'chat';
  return {
    by: { user: by.user, kind: kinds[by.role], counts: by.origin === 'message' },
    ...(spoken ? { role } : {}),
    backchannel: isBackchannel,
    spoken,
    text: type === 'status' ? `status ${text}` : text,
    targets: [secondAgent.user],
  };
}

/** Contacts that may be assigned to the conversation. */
export const CONTACTS = [contact.user, caller('viewer', 'c2').user];

/** Generates upserts for the contact of the conversation or for another contact. */
export const upsertings = fc
  .record(
    {
      contact: fc.constantFrom(...CONTACTS),
      name: fc.constantFrom('Old', 'New'),
      meta: fc.dictionary(fc.constantFrom('a', 'b'), fc.option(fc.constantFrom(1, 2))),
      profile: fc.dictionary(fc.constantFrom('name', 'locale'), fc.constantFrom('x', 'y')),
    },
    { requiredKeys: ['contact', 'profile'] },
  )
  .map((said) => said as Upsert);

/** Converts an upsert to the post that the API creates, with one message. */
export function toUpsertPost(state: ConversationState, { contact, name, meta = {}, profile }: Upsert): Post {
  const by = caller('bot', 'b1', 'upsert');
  const { id, organization, createdBy, createdAt } = state;
  const amends: Effect[] = [
    ...(name === undefined ? [] : [{ kind: 'set' as const, field: 'name' as const, value: name }]),
    ...Object.entries(meta).map(([key, value]) => ({ kind: 'meta' as const, key, value })),
  ];
  const create = { id, slug: 'another', organization, createdBy, createdAt, contact };
  return { caller: by, messages: [draft(by, { text: 'Found' })], create, reopen: true, amends, profile };
}
