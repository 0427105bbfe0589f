import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../domain/conversations/change.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decideAmend, decideCancel, decideDue, decidePost } from '../../domain/conversations/decide.ts';
import { profileAfter } from '../../domain/effects/contact-effects.ts';
import type { Profile } from '../../domain/effects/contact-effects.ts';
import { eventNames } from '../../domain/events/event-name.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Caller, MessageDraft } from '../../domain/messages/message.ts';
import type { RecentMessage } from '../../domain/messages/post.ts';
import {
  emptyModel,
  assignContact,
  markRead,
  performUpsert,
  logAccepted,
  processMessage,
  findBrokenRule,
} from '../support/conversation-model.ts';
import type { Model, ModelMessage, Upsert } from '../support/conversation-model.ts';
import {
  CONTACTS,
  callers,
  toDraft,
  toModelMessage,
  sayings,
  toUpsertPost,
  upsertings,
} from '../support/conversation-sayings.ts';
import type { PostedMessage } from '../support/conversation-sayings.ts';
import {
  NOW,
  agent,
  bot,
  conversation,
  draft,
  deepFreeze,
  id,
  replayChanges,
} from '../support/conversations.ts';

/** The real system: its state, its changes so far and the simulated store. */
interface Real {
  first: ConversationState;
  state: ConversationState;
  changes: Change[];
  stored: Map<string, RecentMessage>;
  contents: Map<string, { caller: Caller; message: MessageDraft }>;
  profile: Profile;
}

type Command = fc.Command<Model, Real>;

/** Decides a post with frozen input, so that a mutation of the input throws. */
function decide(real: Real, { nowMs }: Model, by: Caller, messages: MessageDraft[]) {
  const findKnown = (one: MessageDraft) => real.stored.get(one.id);
  const post = deepFreeze({ caller: by, messages });
  return decidePost(deepFreeze(real.state), post, { now: new Date(nowMs).toISOString(), findKnown });
}

function adopt(real: Real, { state, changes }: { state: ConversationState; changes: Change[] }): void {
  real.state = state;
  real.changes.push(...changes);
  real.profile = changes.reduce(profileAfter, real.profile);
  for (const change of changes) {
    if (change.kind === 'delayed')
      real.contents.set(change.id, { caller: change.caller, message: change.message });
    if (change.kind === 'delayed' || change.kind === 'processed') {
      const placed =
        change.kind === 'processed' ? { sequence: change.message.sequence, processedAt: change.at } : {};
      real.stored.set(change.id, { id: change.id, ...placed });
    }
  }
}

function agrees({ state, profile }: Real, model: Model): void {
  expect(profile).toEqual(model.profile);
  expect({
    ...{ status: state.status, sequence: state.sequence, pending: state.pending.map((one) => one.id) },
    ...{ contact: state.contact, name: state.name, meta: state.meta },
  }).toEqual({
    ...{ status: model.status, sequence: model.sequence, pending: model.pending.map((one) => one.id) },
    ...{ contact: model.contact, name: model.name, meta: model.meta },
  });
  expect(
    state.participants.map(({ user, unreadCount, accepted, inbox }) => ({
      user,
      unread: unreadCount,
      accepted,
      inbox,
    })),
  ).toEqual(model.participants);
}

function command(name: string, run: (model: Model, real: Real) => void): Command {
  return {
    check: () => true,
    run: (model, real) => {
      run(model, real);
      agrees(real, model);
    },
    toString: () => name,
  };
}

/**
 * Returns a command that posts messages in one request, and expects the result of the model, which
 * posts them one by one.
 */
function postsAll(all: PostedMessage[]): Command {
  const by = all[0]?.by ?? agent;
  return command(`post ${JSON.stringify(all)}`, (model, real) => {
    const after = structuredClone(model);
    const drafts = all.map((one) => toDraft(one, model.nowMs));
    const refused = all.map((one, at) => placeInModel(after, toModelMessage(one), drafts[at]!)).find(Boolean);
    if (refused) {
      const before = JSON.stringify(real.state);
      expect(() => decide(real, model, by, drafts)).toThrow(
        expect.objectContaining({ code: `bot_loop_${refused}` }),
      );
      expect(JSON.stringify(real.state)).toBe(before);
      return;
    }
    adopt(real, decide(real, model, by, drafts));
    Object.assign(model, after);
  });
}

function placeInModel(model: Model, said: ModelMessage, { id: message, delay }: MessageDraft) {
  const refused = findBrokenRule(model, said);
  if (refused) return refused;
  logAccepted(model, said);
  if (!delay) processMessage(model, said);
  else {
    model.pending.push({ id: message, dueMs: model.nowMs + delay, said });
    model.pending.sort((a, b) => a.dueMs - b.dueMs || (a.id < b.id ? -1 : 1));
  }
  return undefined;
}

function passes(ms: number): Command {
  return command(`wait ${ms}`, (model, real) => {
    model.nowMs += ms;
    const now = new Date(model.nowMs).toISOString();
    const due = real.state.pending
      .filter(({ dueAt }) => dueAt <= now)
      .map((one) => real.contents.get(one.id)!);
    adopt(real, decideDue(deepFreeze(real.state), deepFreeze(due), now));
    const ready = model.pending.filter(({ dueMs }) => dueMs <= model.nowMs);
    model.pending = model.pending.filter(({ dueMs }) => dueMs > model.nowMs);
    for (const { said } of ready) processMessage(model, said);
  });
}

function retries(choice: number): Command {
  return command(`retry ${choice}`, (model, real) => {
    const stored = [...real.stored.values()];
    const again = stored[choice % Math.max(1, stored.length)];
    if (!again) return;
    const message = { ...draft(bot, {}, { facts: { fingerprint: 'chat Hi' } }), id: again.id };
    const { changes, posted } = decide(real, model, bot, [message]);
    expect({ changes, posted }).toEqual({ changes: [], posted: [{ ...again, known: true }] });
  });
}

function cancels(choice: number): Command {
  return command(`cancel ${choice}`, (model, real) => {
    const [gone] = model.pending.splice(choice % Math.max(1, model.pending.length), 1);
    adopt(real, decideCancel(deepFreeze(real.state), gone?.id ?? id(), new Date(model.nowMs).toISOString()));
  });
}

function reads(by: Caller): Command {
  return command(`read ${by.user}`, (model, real) => {
    const amendment = { id: id(), by: by.user, effects: [{ kind: 'read' as const, user: by.user }] };
    adopt(
      real,
      decideAmend(deepFreeze(real.state), { ...amendment, now: new Date(model.nowMs).toISOString() }),
    );
    markRead(model, by.user);
  });
}

/**
 * Returns a command that upserts the existing conversation, and expects the result of the model.
 */
function upserts(said: Upsert): Command {
  return command(`upsert ${JSON.stringify(said)}`, (model, real) => {
    const told = performUpsert(model, said);
    const attempt = () => decideUpsert(real, model, said);
    if (told === 'refused') {
      expect(attempt).toThrow(expect.objectContaining({ code: 'not_found' }));
      return;
    }
    const decision = attempt();
    const amended = decision.changes.filter(({ kind }) => kind === 'amended');
    expect(amended.flatMap((one) => eventNames(one, decision.state).map(({ name }) => name))).toEqual(told);
    adopt(real, decision);
    const words = { role: 'bot', backchannel: true, spoken: true, text: 'Found', targets: [] };
    const message = { by: { user: bot.user, kind: 'bot' as const, counts: false }, ...words };
    logAccepted(model, message);
    processMessage(model, message);
  });
}

function decideUpsert(real: Real, { nowMs }: Model, said: Upsert) {
  const now = new Date(nowMs).toISOString();
  const post = deepFreeze(toUpsertPost(real.state, said));
  return decidePost(deepFreeze(real.state), post, { now, findKnown: () => undefined, profile: real.profile });
}

function gives(contact: string): Command {
  return command(`give ${contact}`, (model, real) => {
    const amendment = { id: id(), by: agent.user, effects: [{ kind: 'owner' as const, contact }] };
    const attempt = () =>
      decideAmend(deepFreeze(real.state), { ...amendment, now: new Date(model.nowMs).toISOString() });
    if (assignContact(model, contact) === 'given') adopt(real, attempt());
    else expect(attempt).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
}

/**
 * Returns a command that posts messages together with an invalid message, and expects a refusal.
 */
function failsAsAWhole(said: PostedMessage[]): Command {
  return command('fail', (model, real) => {
    const wrong = draft(agent, { type: 'command', text: '/assign' });
    const attempt = () =>
      decide(real, model, agent, [...said.map((one) => toDraft(one, model.nowMs)), wrong]);
    expect(attempt).toThrow(DomainError);
  });
}

const anyCommand = [
  sayings.map(postsAll),
  fc.constantFrom(1, 999, 1000, 60_000, 180_000, 600_000, 3_300_000).map(passes),
  fc.nat(1000).map(retries),
  fc.nat(1000).map(cancels),
  fc.constantFrom(...callers).map(reads),
  sayings.map(failsAsAWhole),
  fc.constantFrom(...CONTACTS).map(gives),
  upsertings.map(upserts),
];

test('decisions on a conversation agree with a simple model of the specification for random commands', () => {
  fc.assert(
    fc.property(fc.commands(anyCommand, { maxCommands: 150, size: 'max' }), (run) => {
      const { contact: _, ...nobodys } = conversation();
      const first = deepFreeze(nobodys);
      const known = { stored: new Map(), contents: new Map(), profile: {} };
      const real: Real = { first, state: first, changes: [], ...known };
      fc.modelRun(() => ({ model: emptyModel(Date.parse(NOW)), real }), run);
      expect(replayChanges(first, real.changes)).toStrictEqual(real.state);
      const numbers = real.changes.flatMap((one) => (one.kind === 'processed' ? [one.message.sequence] : []));
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    }),
    { numRuns: 100 },
  );
});
