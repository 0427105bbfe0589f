import { sleep } from '@temporalio/workflow';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { decideAmend, decideCancel, decideDue } from '../domain/conversations/decide.ts';
import { findCachedMessages } from '../domain/conversations/cached-messages.ts';
import { decideEdit, decideRemoval } from '../domain/messages/edit.ts';
import type { MessageVersion } from '../domain/messages/edit.ts';
import type { ProcessedMessage, StoredMessage } from '../domain/messages/message.ts';
import type { Decision } from '../domain/conversations/decide.ts';
import { decideBatch, toRefusal } from '../domain/conversations/decide-batch.ts';
import { findOwner } from '../domain/effects/contact-effects.ts';
import type { Profile } from '../domain/effects/contact-effects.ts';
import { DomainError, unprocessable } from '../domain/errors.ts';
import type { Post, PostResult } from '../domain/messages/post.ts';
import { commit, ensureLoaded, reload } from './commit.ts';
import type { DecidedCommit, ConversationCache } from './commit.ts';
import type {
  AmendInput,
  ChangeResult,
  DelayedMessage,
  EditInput,
  LoadedMessage,
  PostBatch,
  RemoveInput,
} from './contract.ts';
import { claimContact, loadDelayed, loadMessage, loadProfile } from './proxies.ts';

const DUE_AT_ONCE = 100;

/** Each handler runs in its turn: nothing else changes the state. */

/** Accepts or refuses each post as a whole. */
export async function post(known: ConversationCache, { posts }: PostBatch): Promise<PostResult[]> {
  // Usually the conversation is new. Otherwise the commit detects it.
  if (!posts.every(({ create }) => create)) await ensureLoaded(known);
  const profile = await loadProfileIfNeeded(known, posts);
  return commit(known, () => {
    const { results, ...decided } = decideBatch(known, posts, { now: now(known), profile });
    return { ...decided, answer: results };
  });
}

// Reads the profile again, because concurrent identical upserts must change the contact once.
async function loadProfileIfNeeded(
  { state }: ConversationCache,
  posts: Post[],
): Promise<Profile | undefined> {
  const changing = posts.find(
    ({ profile, madeContact }) => (state || !madeContact) && Object.keys(profile ?? {}).length > 0,
  );
  const contact = changing?.create?.contact;
  return contact === undefined ? undefined : loadProfile(contact);
}

export async function amend(
  known: ConversationCache,
  { id, by, effects, ifVersion }: AmendInput,
): Promise<ChangeResult> {
  await ensureLoaded(known);
  const decide = (state: ConversationState) => decideAmend(state, { id, by, effects, now: now(known) });
  const holds = ({ version }: ConversationState) => version === ifVersion;
  const condition = ifVersion === undefined ? undefined : { id, holds };
  const contact = findOwner(effects);
  // Claim the contact only if the rules accept the change, and in its turn, so that no other
  // request can assign it first.
  if (contact !== undefined && decided(known, decide, condition).changes.length > 0) {
    const claimed = await claimContact({ contact, conversation: known.id });
    if (claimed !== known.id) return { done: false, refused: toRefusal(contactTakenError(claimed)) };
  }
  return confirmOwnChange(known, await commit(known, () => decided(known, decide, condition)), condition);
}

function contactTakenError(claimed: string | null): DomainError {
  return claimed === null
    ? unprocessable('there is no such contact in the organization', 'contact')
    : new DomainError('conflict', 'The contact has a conversation already.');
}

export async function edit(
  known: ConversationCache,
  { message, ifStand, ...input }: EditInput,
): Promise<ChangeResult> {
  await ensureLoaded(known);
  const stored = await loadMessage({ conversation: known.id, message });
  if (!stored) return { done: false };
  const decide = (state: ConversationState) => decideEdit(state, { ...input, stored, now: now(known) });
  const condition = ifStand && { id: input.id, holds: () => matchesVersion(stored, ifStand) };
  return confirmOwnChange(known, await commit(known, () => decided(known, decide, condition)), condition);
}

/** Deletes a message or cancels a delayed one. */
export async function remove(
  known: ConversationCache,
  { message: id, ifStand, ...input }: RemoveInput,
): Promise<ChangeResult> {
  await ensureLoaded(known);
  const stored = await loadMessage({ conversation: known.id, message: id });
  if (!stored) return { done: false };
  if (ifStand && !matchesVersion(stored, ifStand)) return { done: false, changed: true };
  return commit(known, () =>
    decideOnState(known, (state) => {
      const { message } = stored;
      return isProcessed(message)
        ? decideRemoval(state, { ...input, message, now: now(known) })
        : decideCancel(state, id, now(known));
    }),
  );
}

/**
 * Processes due messages in order, as many as one load returns. Drops messages without content. If
 * the store is ahead of this run, cached contents may be outdated: the next call loads them.
 */
export async function processDue(known: ConversationCache): Promise<void> {
  const time = now(known);
  const due = (known.state?.pending ?? []).filter(({ dueAt }) => dueAt <= time).map(({ id }) => id);
  if (due.length === 0) return;
  const { held } = known;
  const next = due.slice(0, DUE_AT_ONCE);
  const contents = findCachedMessages(held, next);
  const { found, looked } = contents ? { found: contents, looked: next.length } : await loadDelayed(next);
  const ids = due.slice(0, looked);
  await commit(known, () =>
    decideOnState(known, (state) =>
      contents && known.held !== held ? { changes: [], state } : decideDueOrGone(state, { ids, found, time }),
    ),
  );
  // Temporal rejects task results above 4 MiB, and loaded contents count. The timer ends the task
  // before the next load.
  if (looked < due.length && !contents) await sleep(1);
}

interface Precondition {
  id: string;
  holds: (state: ConversationState) => boolean;
}

/** Returns a decision, or a result that reports a refusal or a failed condition. */
function decided(
  known: ConversationCache,
  decide: (state: ConversationState) => Decision,
  condition?: Precondition,
): DecidedCommit<ChangeResult> {
  const nothing = { base: null, changes: [], state: null };
  if (condition && known.conditional.includes(condition.id)) return { ...nothing, answer: { done: true } };
  if (condition && known.state && !condition.holds(known.state)) {
    return { ...nothing, answer: { done: false, changed: true } };
  }
  try {
    return { ...decideOnState(known, decide), ...(condition ? { conditional: condition.id } : {}) };
  } catch (error) {
    return { ...nothing, answer: { done: false, refused: toRefusal(error) } };
  }
}

// Reloads after a failed condition: in a lost task, this request's own change may be stored.
async function confirmOwnChange(
  known: ConversationCache,
  result: ChangeResult,
  condition?: Precondition,
): Promise<ChangeResult> {
  if (!condition || !result.changed) return result;
  await reload(known);
  return known.conditional.includes(condition.id) ? { done: true } : result;
}

function matchesVersion({ message, editedIn }: LoadedMessage, stand: MessageVersion): boolean {
  return message.sequence === stand.sequence && editedIn === stand.editedIn;
}

function isProcessed(message: StoredMessage): message is ProcessedMessage {
  return message.sequence !== undefined;
}

function decideDueOrGone(
  state: ConversationState,
  { ids, found, time }: { ids: string[]; found: DelayedMessage[]; time: string },
): Decision {
  const gone = ids.filter((id) => !found.some(({ message }) => message.id === id));
  return gone.reduce<Decision>(
    (decision, id) => {
      const cancelled = decideCancel(decision.state, id, time);
      return { changes: [...decision.changes, ...cancelled.changes], state: cancelled.state };
    },
    decideDue(state, found, time),
  );
}

function decideOnState(
  known: ConversationCache,
  decide: (state: ConversationState) => Decision,
): DecidedCommit<ChangeResult> {
  const base = known.state;
  if (!base) return { base, changes: [], state: null, answer: { done: false } };
  const decision = decide(base);
  return { base, ...decision, answer: { done: decision.changes.length > 0 } };
}

// Returns a time that never goes backwards, even between server clocks.
function now({ state }: ConversationCache): string {
  const time = new Date().toISOString();
  return state && state.updatedAt > time ? state.updatedAt : time;
}
