import type { Change } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import type { CachedConversation } from '../domain/conversations/decide-batch.ts';
import {
  cacheDelayedMessages,
  evictDelayedMessages,
  emptyDelayedMessageCache,
  createRecentMessages,
  forgetRecentMessage,
  addRecentMessages,
  messagesIn,
} from '../domain/conversations/cached-messages.ts';
import type { DelayedMessageCache } from '../domain/conversations/cached-messages.ts';
import type { LoadResult, LabelIds, OperatorFacts } from './contract.ts';
import { load, persist } from './proxies.ts';
import { contactEffects } from '../domain/effects/contact-effects.ts';
import { labelIds } from '../domain/operators/titles.ts';

/** State cached by a run. The store is authoritative. */
export interface ConversationCache extends CachedConversation, OperatorLabels {
  id: string;
  /** False until the state was loaded or a commit was stored. */
  loaded: boolean;
  /** Ids of the latest conditional changes, as last loaded. */
  conditional: readonly string[];
  /** Stored by this run itself. Never older than the store. */
  held: DelayedMessageCache;
}

export interface DecidedCommit<Answer> {
  base: ConversationState | null;
  changes: Change[];
  state: ConversationState | null;
  answer: Answer;
  conditional?: string;
}

/**
 * Decides and stores changes. If the store is ahead of this run (its task was lost after the
 * write), adopts the stored state and decides again. Stored changes then get the same answer
 * (docs/decisions/commit.md).
 */
export async function commit<Answer>(
  known: ConversationCache,
  decide: () => DecidedCommit<Answer>,
): Promise<Answer> {
  for (;;) {
    const { base, changes, state, answer, conditional } = decide();
    if (changes.length === 0 || !base || !state) return answer;
    const naming = missingLabels(known, state, changes);
    const result = await persist({
      base,
      changes,
      ...(conditional ? { conditional } : {}),
      ...(naming.length > 0 ? { naming } : {}),
    });
    if (result.outcome === 'stored') {
      mergeLabels(known, naming, result.facts);
      known.state = { ...state, version: base.version + 1 };
      known.loaded = true;
      addRecentMessages(known.recent, messagesIn(changes));
      forgetRecentMessage(known.recent, changes);
      evictDelayedMessages(known.held, changes);
      cacheDelayedMessages(known.held, changes);
      return answer;
    }
    applyLoaded(known, result);
  }
}

/** Loads the state once. The next caller repeats a failed load. */
export async function ensureLoaded(known: ConversationCache): Promise<void> {
  if (!known.loaded) applyLoaded(known, await load({ id: known.id, naming: true }));
}

/** Reloads the state, in case the store is ahead of this run. */
export async function reload(known: ConversationCache): Promise<void> {
  applyLoaded(known, await load({ id: known.id }));
}

function applyLoaded(known: ConversationCache, result: LoadResult): void {
  known.state = result.state;
  known.recent = createRecentMessages(result.state ? result.recent : []);
  known.conditional = result.state ? result.conditional : [];
  known.held = emptyDelayedMessageCache();
  known.deleted = !result.state && result.deleted;
  known.loaded = true;
  if (result.state && result.facts) mergeLabels(known, [], result.facts);
}

interface OperatorLabels {
  facts?: OperatorFacts;
  /** Whether this run has loaded the labels. Labels of an earlier run may be outdated. */
  named: boolean;
}

/**
 * Returns the ids whose names to load: all once per run, so that renames show within a hundred
 * updates, later only new ids and a renamed contact.
 */
function missingLabels(
  { facts, named }: OperatorLabels,
  state: ConversationState,
  changes: Change[],
): LabelIds {
  const ids = labelIds(state);
  if (!named) return ids;
  const renamed = changes.some((change) => contactEffects(change).some(({ field }) => /name$/i.test(field)));
  return ids.filter((id) => facts?.names[id] === undefined || (renamed && id === state.contact));
}

/** Caches an id without a name as '', so that it is not requested again. */
function mergeLabels(known: OperatorLabels, asked: LabelIds, answered: OperatorFacts | undefined): void {
  const latest = answered ?? known.facts;
  if (latest) {
    const before = known.named || !answered ? known.facts?.names : {};
    const nameless = Object.fromEntries(asked.map((id) => [id, '']));
    known.facts = { ...latest, names: { ...before, ...nameless, ...answered?.names } };
  }
  known.named = known.named || asked.length > 0 || answered !== undefined;
}
