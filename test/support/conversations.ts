import type { Change } from '../../domain/conversations/change.ts';
import { newConversation } from '../../domain/conversations/conversation.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decidePost } from '../../domain/conversations/decide.ts';
import type { PostDecision } from '../../domain/conversations/decide.ts';
import { draftMessage } from '../../domain/messages/draft.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { evolve } from '../../domain/conversations/evolve.ts';
import type { Caller, MessageDraft, MessageFacts } from '../../domain/messages/message.ts';
import { toScope } from '../../domain/scope.ts';

export const ORGANIZATION = '0f0f0f0f0f0f0f0f0f0f0f0f';
export const NOW = '2026-03-01T12:00:00.000Z';

export const agent = caller('agent', 'a1');
export const secondAgent = caller('agent', 'a2');
export const bot = caller('bot', 'b1');
export const contact = caller('viewer', 'c1');

let minted = 0;

/** Returns a caller. The short name is padded to a 24-character id. */
export function caller(role: Caller['role'], name: string, origin: Caller['origin'] = 'message'): Caller {
  return { user: name.padEnd(24, '0'), role, origin };
}

export function id(): string {
  minted += 1;
  return minted.toString(16).padStart(24, '0');
}

/** Returns the time `ms` milliseconds after NOW. */
export function later(ms: number): string {
  return new Date(Date.parse(NOW) + ms).toISOString();
}

/** Returns the state of a stored conversation with a contact, created an hour before NOW. */
export function conversation(fields: Partial<ConversationState> = {}): ConversationState {
  const seed = {
    id: id(),
    slug: 'conversation-slug',
    organization: ORGANIZATION,
    contact: contact.user,
    createdBy: bot.user,
    createdAt: '2026-03-01T11:00:00.000Z',
  };
  return { ...newConversation(seed), version: 1, eventSequence: 1, ...fields };
}

/** Returns a participant in the form that a conversation stores. */
export function participant(
  { user, role }: Caller,
  fields: Partial<ConversationState['participants'][number]> = {},
): ConversationState['participants'][number] {
  const flags = { unreadCount: 0, active: false, inbox: false, accepted: false };
  return { user, organization: ORGANIZATION, role, ...flags, ...fields };
}

/** Returns a draft as the API creates it, with facts about the sender. */
export function draft(
  by: Caller,
  input: Partial<MessageInput>,
  { facts, now = NOW }: { facts?: MessageFacts; now?: string } = {},
): MessageDraft {
  const sender =
    by.role === 'viewer' ? {} : { sender: { user: by.user, organization: ORGANIZATION, role: by.role } };
  const context = {
    id: id(),
    slug: 'message-slug',
    caller: { user: by.user, scope: toScope(by.role) },
    now,
    serviceProviders: ['provider_1'],
  };
  return { ...draftMessage({ text: 'Hello', ...input }, context), facts: { ...sender, ...facts } };
}

interface Posting {
  facts?: MessageFacts;
  now?: string;
}

/** Posts one message as the API and the workflow do. */
export function post(
  state: ConversationState,
  by: Caller,
  input: Partial<MessageInput>,
  { facts, now = NOW }: Posting = {},
): PostDecision {
  return postAll(state, by, [draft(by, input, { now, ...(facts ? { facts } : {}) })], now);
}

export function postAll(
  state: ConversationState,
  by: Caller,
  messages: MessageDraft[],
  now: string = NOW,
): PostDecision {
  return decidePost(state, { caller: by, messages }, { now, findKnown: () => undefined });
}

export function stateAfter(
  state: ConversationState,
  by: Caller,
  input: Partial<MessageInput>,
  posting: Posting = {},
): ConversationState {
  return post(state, by, input, posting).state;
}

/**
 * Applies changes to a state. Each change is first converted to JSON and back, as between
 * processes.
 */
export function replayChanges(state: ConversationState, changes: Change[]): ConversationState {
  return changes.reduce((next, change) => evolve(next, JSON.parse(JSON.stringify(change)) as Change), state);
}

/** Freezes a value at every level, so that changing it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Returns the error that `work` throws. Fails if `work` throws no error. */
export function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
