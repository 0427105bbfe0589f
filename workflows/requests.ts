import { sleep } from '@temporalio/workflow';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import {
  contactTakenError,
  decideAmend,
  decideBatch,
  decideCancel,
  decideDue,
  toRefusal,
} from '../domain/conversations/decide.ts';
import type { Decision } from '../domain/conversations/decide.ts';
import { findCachedMessages } from '../domain/conversations/cached-messages.ts';
import type { CachedMessage } from '../domain/conversations/cached-messages.ts';
import { alreadyProcessed, decideEdit, decideRemoval } from '../domain/messages/edit.ts';
import type { LoadedMessage, MessageVersion } from '../domain/messages/edit.ts';
import type { ProcessedMessage, StoredMessage } from '../domain/messages/message.ts';
import type { Post, PostResult } from '../domain/messages/post.ts';
import { findClaimed } from '../domain/effects/contact-effects.ts';
import type { Profile } from '../domain/effects/contact-effects.ts';
import { unprocessable } from '../domain/errors.ts';
import { decideTimers, decideWake } from '../domain/timers/timer.ts';
import {
  claimContact,
  commit,
  ensureLoaded,
  loadDelayed,
  loadMessage,
  loadProfile,
  reload,
} from './commit.ts';
import type { DecidedCommit, ConversationCache } from './commit.ts';
import type { AmendInput, ChangeResult, EditInput, PostBatch, RemoveInput } from './contract.ts';

/** The handlers run one at a time: nothing else changes the state. */
export async function post(known: ConversationCache, { posts }: PostBatch): Promise<PostResult[]> {
  // A post with `create` usually creates the conversation. If the conversation exists, the commit
  // detects it.
  if (!posts.every(({ create }) => create)) await ensureLoaded(known);
  const profile = await loadChangedProfile(known, posts);
  return commit(known, () => {
    const { results, ...decided } = decideBatch(known, posts, { now: now(known), profile });
    return { ...decided, answer: results };
  });
}

// Loads in the turn, because concurrent identical upserts must change the contact once.
async function loadChangedProfile({ state }: ConversationCache, posts: Post[]): Promise<Profile | undefined> {
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
  const contact = findClaimed(effects);
  // Claim the contact in the turn, so that no other request assigns it first.
  if (contact !== undefined && tryDecide(known, decide, condition).changes.length > 0) {
    const claimed = await claimContact({ contact, conversation: known.id });
    if (claimed !== known.id) return { done: false, refused: toRefusal(unassignableError(claimed)) };
  }
  return commitChange(known, decide, condition);
}

function unassignableError(claimed: string | null) {
  return claimed === null
    ? unprocessable('there is no such contact in the organization', 'contact')
    : contactTakenError(claimed);
}

export async function edit(
  known: ConversationCache,
  { message, ifStand, ...input }: EditInput,
): Promise<ChangeResult> {
  return withStoredMessage(known, message, (stored) => {
    const decide = (state: ConversationState) => decideEdit(state, { ...input, stored, now: now(known) });
    const condition = ifStand && { id: input.id, holds: () => matchesVersion(stored, ifStand) };
    return commitChange(known, decide, condition);
  });
}

/**
 * Changes a message. If the store was ahead of this run, the message may have been processed since
 * it was loaded: then loads the message again and changes it as processed.
 */
async function withStoredMessage(
  known: ConversationCache,
  message: string,
  change: (stored: LoadedMessage) => Promise<ChangeResult>,
  { isRemoval = false } = {},
): Promise<ChangeResult> {
  await ensureLoaded(known);
  for (let attempts = 1; ; attempts += 1) {
    const unread = known.state?.participants.map(({ unreadCount }) => unreadCount) ?? [];
    const wanted = isRemoval ? { maxLater: Math.max(0, ...unread) } : {};
    const stored = await loadMessage({ conversation: known.id, message, ...wanted });
    if (!stored) return { done: false };
    const result = await change(stored);
    const isOver = result.done || Boolean(result.refused ?? result.changed);
    if (isOver || attempts === 2 || isProcessed(stored.message)) return result;
  }
}

export async function remove(
  known: ConversationCache,
  { message: id, ifStand, onlyWaiting, ...input }: RemoveInput,
): Promise<ChangeResult> {
  const change = async (stored: LoadedMessage): Promise<ChangeResult> => {
    if (ifStand && !matchesVersion(stored, ifStand)) return { done: false, changed: true };
    const { message, remaining } = stored;
    if (isProcessed(message) && onlyWaiting) return { done: false, refused: toRefusal(alreadyProcessed()) };
    const decide = (state: ConversationState) =>
      isProcessed(message)
        ? decideRemoval(state, { ...input, message, remaining, now: now(known) })
        : decideCancel(state, id, now(known));
    // After a lost task, a second removal would lower the unread counts again.
    return commit(known, () => tryDecide(known, decide, { id: input.id, holds: () => true }));
  };
  return withStoredMessage(known, id, change, { isRemoval: true });
}

const DUE_AT_ONCE = 100;

/**
 * Processes due messages in order, as many as one load returns. Drops deleted messages. Cached
 * messages may be outdated if the store is ahead of this run: the next call loads them.
 */
async function processDue(known: ConversationCache): Promise<void> {
  const time = now(known);
  const due = (known.state?.pending ?? []).filter(({ dueAt }) => dueAt <= time).map(({ id }) => id);
  if (due.length === 0) return;
  const { held } = known;
  const next = due.slice(0, DUE_AT_ONCE);
  const cached = findCachedMessages(held, next);
  const { found, looked } = cached ? { found: cached, looked: next.length } : await loadDelayed(next);
  const ids = due.slice(0, looked);
  await commit(known, () =>
    decideOnState(known, (state) =>
      cached && known.held !== held ? { changes: [], state } : decideDueOrGone(state, { ids, found, time }),
    ),
  );
  // Loaded messages count toward the 4 MiB of a task result. The timer ends the workflow task.
  if (looked < due.length && !cached) await sleep(1);
}

function decideDueOrGone(
  state: ConversationState,
  { ids, found, time }: { ids: string[]; found: CachedMessage[]; time: string },
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

async function wake(known: ConversationCache): Promise<void> {
  await commit(known, () => decideOnState(known, (state) => decideWake(state, now(known))));
}

/** Adopts the stored state and the latest timers, then does what is due. */
export async function refresh(known: ConversationCache): Promise<ChangeResult> {
  await reload(known);
  await processStep(known);
  return { done: known.state !== null };
}

export async function processStep(known: ConversationCache): Promise<void> {
  await processDue(known);
  await wake(known);
  await fireTimers(known);
}

/** Fires the timers that are due, by the latest list. */
async function fireTimers(known: ConversationCache): Promise<void> {
  await commit(known, () => decideOnState(known, (state) => decideTimers(state, known.timers, now(known))));
}

interface Precondition {
  id: string;
  holds: (state: ConversationState) => boolean;
}

type Decide = (state: ConversationState) => Decision;

// Reloads after a failed condition: a lost task may have stored this request's own change.
async function commitChange(
  known: ConversationCache,
  decide: Decide,
  condition?: Precondition,
): Promise<ChangeResult> {
  const result = await commit(known, () => tryDecide(known, decide, condition));
  if (!condition || !result.changed) return result;
  await reload(known);
  return known.conditional.includes(condition.id) ? { done: true } : result;
}

/** Never throws. */
function tryDecide(
  known: ConversationCache,
  decide: Decide,
  condition?: Precondition,
): DecidedCommit<ChangeResult> {
  const nothing = { base: null, changes: [], state: null };
  if (condition && known.conditional.includes(condition.id)) return { ...nothing, answer: { done: true } };
  if (condition && known.state && !condition.holds(known.state)) {
    return { ...nothing, answer: { done: false, changed: true } };
  }
  try {
    return { ...decideOnState(known, decide), conditional: condition?.id };
  } catch (error) {
    return { ...nothing, answer: { done: false, refused: toRefusal(error) } };
  }
}

function decideOnState({ state: base }: ConversationCache, decide: Decide): DecidedCommit<ChangeResult> {
  if (!base) return { base, changes: [], state: null, answer: { done: false } };
  const decision = decide(base);
  return { base, ...decision, answer: { done: decision.changes.length > 0 } };
}

function matchesVersion({ message, editedIn }: LoadedMessage, stand: MessageVersion): boolean {
  return message.sequence === stand.sequence && editedIn === stand.editedIn;
}

function isProcessed(message: StoredMessage): message is ProcessedMessage {
  return message.sequence !== undefined;
}

// Returns a time that never goes backwards, even between server clocks.
function now({ state }: ConversationCache): string {
  const time = new Date().toISOString();
  return state && state.updatedAt > time ? state.updatedAt : time;
}
