import type { ConversationState } from '../domain/conversation.ts';
import { decideAmend, decideCancel, decideDue } from '../domain/decide.ts';
import type { Decision } from '../domain/decide.ts';
import { decideBatch, refusalOf } from '../domain/decide-batch.ts';
import type { PostResult } from '../domain/post.ts';
import { commit, ensureLoaded } from './commit.ts';
import type { Decided, Known } from './commit.ts';
import type { AmendInput, CancelInput, ChangeResult, DelayedMessage, PostBatch } from './contract.ts';
import { loadDelayed } from './proxies.ts';

/** What a conversation does with each kind of request. Each is called in its turn: nothing else changes the state meanwhile. */

/** Posts messages; every post is admitted or refused as a whole. */
export async function post(known: Known, { posts }: PostBatch): Promise<PostResult[]> {
  // A conversation that may be new is not asked for: the commit itself finds out, and most of the time it is new.
  if (!posts.every(({ create }) => create)) await ensureLoaded(known);
  return commit(known, () => {
    const { results, ...decided } = decideBatch(known, posts, now(known));
    return { ...decided, answer: results };
  });
}

/** Changes the conversation other than by a message, unless the rules refuse it. */
export async function amend(known: Known, { id, by, effects }: AmendInput): Promise<ChangeResult> {
  await ensureLoaded(known);
  return commit(known, () => {
    try {
      return onState(known, (state) => decideAmend(state, { id, by, effects, now: now(known) }));
    } catch (error) {
      return { base: null, changes: [], state: null, answer: { done: false, refused: refusalOf(error) } };
    }
  });
}

/** Forgets a delayed message. */
export async function cancel(known: Known, { id }: CancelInput): Promise<ChangeResult> {
  await ensureLoaded(known);
  return commit(known, () => onState(known, (state) => decideCancel(state, id, now(known))));
}

/** Processes the delayed messages whose time has come, in due order. One whose content is gone is forgotten. */
export async function processDue(known: Known): Promise<void> {
  const time = now(known);
  const ids = (known.state?.pending ?? []).filter(({ dueAt }) => dueAt <= time).map(({ id }) => id);
  if (ids.length === 0) return;
  const found = await loadDelayed(ids);
  await commit(known, () => onState(known, (state) => dueOrGone(state, { ids, found, time })));
}

function dueOrGone(
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

function onState(known: Known, decide: (state: ConversationState) => Decision): Decided<ChangeResult> {
  const base = known.state;
  if (!base) return { base, changes: [], state: null, answer: { done: false } };
  const decision = decide(base);
  return { base, ...decision, answer: { done: decision.changes.length > 0 } };
}

// The conversation's time never goes back, whatever the clocks of its servers do.
function now({ state }: Known): string {
  const time = new Date().toISOString();
  return state && state.updatedAt > time ? state.updatedAt : time;
}
