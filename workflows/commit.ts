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

/** What a run of the conversation workflow knows. The store is the truth; this is its cache. */
export interface ConversationCache extends CachedConversation, OperatorLabels {
  id: string;
  /** False until the store was asked, or has accepted a commit. */
  loaded: boolean;
  /** The latest changes made on a condition, as far as the store was asked. */
  conditional: readonly string[];
  /** What this run itself stored of messages that wait: never older than what is stored. */
  held: DelayedMessageCache;
}

/** Changes decided on `base`, the state they lead to, and what to answer once they are stored. */
export interface DecidedCommit<Answer> {
  base: ConversationState | null;
  changes: Change[];
  state: ConversationState | null;
  answer: Answer;
  /** The id of a change that is made on a condition. */
  conditional?: string;
}

/**
 * Decides, and stores what was decided. Where the store knows something that this run forgot (its
 * task was lost after the write), the run adopts it and decides again: what was stored is then
 * recognised and answered as it was (docs/decisions/commit.md).
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

/** Asks the store, once. A failed load is not remembered: the next caller asks again. */
export async function ensureLoaded(known: ConversationCache): Promise<void> {
  if (!known.loaded) applyLoaded(known, await load({ id: known.id, naming: true }));
}

/** Asks the store whether it knows something that this run forgot. */
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

/** What a run knows of what operators are shown. */
interface OperatorLabels {
  /** What operators are shown beside the state. */
  facts?: OperatorFacts;
  /** Whether this run has asked for them: what an earlier one knew may have changed. */
  named: boolean;
}

/**
 * Whose names are to be asked for with a commit that leads to `state`: all of them once in a run,
 * so that a change of name shows within a hundred updates; else those who are new to it, and the
 * contact where the commit renames them.
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

/** Takes what was answered; who was asked for in vain has no name, and is not asked for again. */
function mergeLabels(known: OperatorLabels, asked: LabelIds, answered: OperatorFacts | undefined): void {
  const latest = answered ?? known.facts;
  if (latest) {
    const before = known.named || !answered ? known.facts?.names : {};
    const nameless = Object.fromEntries(asked.map((id) => [id, '']));
    known.facts = { ...latest, names: { ...before, ...nameless, ...answered?.names } };
  }
  known.named = known.named || asked.length > 0 || answered !== undefined;
}
