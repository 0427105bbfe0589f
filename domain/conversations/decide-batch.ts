import type { Change } from './change.ts';
import { newConversation } from './conversation.ts';
import type { ConversationState } from './conversation.ts';
import { decidePost } from './decide.ts';
import type { PostDecision } from './decide.ts';
import { profileAfter } from '../effects/contact-effects.ts';
import type { Profile } from '../effects/contact-effects.ts';
import { DomainError } from '../errors.ts';
import type { Post, PostResult, Refusal } from '../messages/post.ts';
import { findRecentMessage, createRecentMessages, addRecentMessages, messagesIn } from './cached-messages.ts';
import type { RecentMessages } from './cached-messages.ts';

export interface CachedConversation {
  /** Null: not stored. */
  state: ConversationState | null;
  recent: RecentMessages;
  /** Deleted for good: no post may recreate it (spec 5.8). */
  deleted: boolean;
}

interface BatchContext {
  now: string;
  profile?: Profile | undefined;
}

/** Content of one commit: `changes` decided on `base`, leading to `state`. */
export interface BatchDecision {
  base: ConversationState | null;
  changes: Change[];
  state: ConversationState | null;
  results: PostResult[];
}

/**
 * Decides independent posts in order. A refused post changes nothing for the others. Never throws.
 */
export function decideBatch(
  standing: CachedConversation,
  posts: Post[],
  { now, profile }: BatchContext,
): BatchDecision {
  const decided: BatchDecision = { base: standing.state, changes: [], state: standing.state, results: [] };
  const inBatch = createRecentMessages([]);
  let current = profile;
  for (const post of posts) {
    const outcome = tryDecide(standing, post, { now, profile: current, state: decided.state, inBatch });
    if ('refused' in outcome) {
      decided.results.push(outcome);
      continue;
    }
    if (!decided.base && post.create) decided.base = newConversation(post.create);
    decided.changes.push(...outcome.changes);
    decided.state = outcome.state;
    current &&= outcome.changes.reduce(profileAfter, current);
    decided.results.push({ posted: outcome.posted, ...(outcome.created ? { created: true } : {}) });
    addRecentMessages(inBatch, messagesIn(outcome.changes));
  }
  return decided;
}

function tryDecide(
  standing: CachedConversation,
  post: Post,
  {
    state,
    inBatch,
    ...circumstances
  }: BatchContext & { state: ConversationState | null; inBatch: RecentMessages },
): PostDecision | Extract<PostResult, { refused: unknown }> {
  try {
    if (standing.deleted) throw new DomainError('not_found', 'The conversation does not exist.');
    const findKnown = (draft: Post['messages'][number]) =>
      findRecentMessage(standing.recent, draft) ?? findRecentMessage(inBatch, draft);
    return decidePost(state, post, { ...circumstances, findKnown });
  } catch (error) {
    return { refused: toRefusal(error) };
  }
}

/** Maps any error to a refusal: an unexpected error must not block the conversation. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof DomainError))
    return { code: 'internal', message: 'The message could not be processed.' };
  const { code, message, details, retryAfterSeconds } = error;
  return {
    code,
    message,
    ...(details ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
