import { countedAs, refuseLoop } from './bot-loop.ts';
import type { Caller, Change, Delayed, Effect, Processed } from './change.ts';
import { newConversation } from './conversation.ts';
import type { ConversationState } from './conversation.ts';
import { DomainError } from './errors.ts';
import { evolve } from './evolve.ts';
import { messageEffects } from './message-effects.ts';
import type { MessageDraft } from './message.ts';
import type { Post, Posted, RecentMessage } from './post.ts';

/** Looks up a message that is stored already, by its id or `externalId`. */
export type KnownMessages = (draft: MessageDraft) => RecentMessage | undefined;

/** What is decided, and the state it leads to. Nothing has happened until the changes are stored. */
export interface Decision {
  changes: Change[];
  state: ConversationState;
}

export interface PostDecision extends Decision {
  posted: Posted[];
  created: boolean;
}

interface Circumstances {
  /** ISO 8601 UTC. */
  now: string;
  known: KnownMessages;
}

interface Arriving {
  caller: Caller;
  draft: MessageDraft;
  now: string;
}

/**
 * Decides one post against the current state: every message gets its sequence and effects, or waits for its time. `state` null means
 * the conversation is not stored.
 *
 * Refuses the post as a whole by throwing DomainError: `not_found`, `unprocessable`, `bot_loop_identical`,
 * `bot_loop_consecutive` (contract 5, 6).
 */
export function decidePost(
  state: ConversationState | null,
  post: Post,
  { now, known }: Circumstances,
): PostDecision {
  if (!state && !post.create) throw new DomainError('not_found', 'The conversation does not exist.');
  const decision: PostDecision = {
    changes: [],
    state: state ?? newConversation(seedOf(post)),
    posted: [],
    // The slug is random: one that the store holds already was made by this very request, whose answer was lost.
    created: !state || state.slug === post.create?.slug,
  };
  if (!state) take(decision, { kind: 'created', id: decision.state.id, at: now, by: post.caller.user });
  if (post.reopen) reopen(decision, post, now);
  for (const draft of post.messages) {
    const before = known(draft) ?? inSamePost(decision, draft);
    decision.posted.push(
      before ? { ...answerOf(before), known: true } : place(decision, post.caller, draft, now),
    );
  }
  return decision;
}

/** Decides what happens to delayed messages whose time has come, in the order given. Their rules were checked when they were posted. */
export function decideDue(
  state: ConversationState,
  due: { caller: Caller; message: MessageDraft }[],
  now: string,
): Decision {
  const decision: Decision = { changes: [], state };
  for (const { caller, message } of due) {
    take(decision, processed(decision.state, { caller, draft: message, now, wasDelayed: true }));
  }
  return decision;
}

/** Decides a change other than by a message. */
export function decideAmend(
  state: ConversationState,
  { id, by, effects, now }: { id: string; by: string; effects: Effect[]; now: string },
): Decision {
  const decision: Decision = { changes: [], state };
  take(decision, { kind: 'amended', id, at: now, by, effects });
  return decision;
}

/** Decides to forget a delayed message. Nothing changes when it is not waiting (any more). */
export function decideCancel(state: ConversationState, id: string, now: string): Decision {
  const decision: Decision = { changes: [], state };
  if (state.pending.some((waiting) => waiting.id === id)) take(decision, { kind: 'cancelled', id, at: now });
  return decision;
}

function seedOf(post: Post) {
  if (!post.create) throw new DomainError('not_found', 'The conversation does not exist.');
  return post.create;
}

function take(decision: Decision, change: Change): void {
  decision.changes.push(change);
  decision.state = evolve(decision.state, change);
}

function reopen(decision: Decision, post: Post, now: string): void {
  if (decision.state.status !== 'closed') return;
  const id = `${post.messages[0]?.id ?? decision.state.id}-reopened`;
  take(decision, {
    kind: 'amended',
    id,
    at: now,
    by: post.caller.user,
    effects: [{ kind: 'status', status: 'queued' }],
  });
}

function place(decision: Decision, caller: Caller, draft: MessageDraft, now: string): Posted {
  const counted = countedAs(caller, draft);
  refuseLoop(decision.state.loops, counted, Date.parse(now));
  const change = draft.delay
    ? delayed({ caller, draft, now })
    : processed(decision.state, { caller, draft, now, wasDelayed: false });
  take(decision, counted ? { ...change, counted } : change);
  return change.kind === 'delayed'
    ? { id: draft.id }
    : { id: draft.id, sequence: change.message.sequence, processedAt: now };
}

function delayed({ caller, draft, now }: Arriving): Delayed {
  const dueAt = new Date(Date.parse(draft.createdAt) + (draft.delay ?? 0)).toISOString();
  return { kind: 'delayed', id: draft.id, at: now, caller, message: draft, dueAt };
}

function processed(
  state: ConversationState,
  { caller, draft, now, wasDelayed }: Arriving & { wasDelayed: boolean },
): Processed {
  const { facts: _, ...message } = draft;
  return {
    kind: 'processed',
    id: draft.id,
    at: now,
    caller,
    message: { ...message, sequence: state.sequence + 1, processedAt: now },
    effects: messageEffects(state, { caller, draft }),
    wasDelayed,
  };
}

function inSamePost(decision: PostDecision, draft: MessageDraft): RecentMessage | undefined {
  if (draft.externalId === undefined) return undefined;
  for (const change of decision.changes) {
    if (change.kind === 'processed' && change.message.externalId === draft.externalId) return change.message;
    if (change.kind === 'delayed' && change.message.externalId === draft.externalId) return { id: change.id };
  }
  return undefined;
}

function answerOf({ id, sequence, processedAt }: RecentMessage): Posted {
  return {
    id,
    ...(sequence === undefined ? {} : { sequence }),
    ...(processedAt === undefined ? {} : { processedAt }),
  };
}
