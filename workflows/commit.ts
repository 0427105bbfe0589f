import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Change } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import {
  cacheDelayedMessages,
  evictDelayedMessages,
  emptyDelayedMessageCache,
  createRecentMessages,
  forgetRecentMessage,
  addRecentMessages,
  messagesIn,
} from '../domain/conversations/cached-messages.ts';
import type { CachedConversation, DelayedMessageCache } from '../domain/conversations/cached-messages.ts';
import type { Undelivered } from '../domain/operators/details.ts';
import type { Activities, LoadResult, OperatorFacts } from './contract.ts';
import { contactEffects } from '../domain/effects/contact-effects.ts';
import { labelIds } from '../domain/operators/details.ts';
import { findNextTimer } from '../domain/timers/timer.ts';
import type { NextTimer, TimerList } from '../domain/timers/timer.ts';

type StoreActivities = Pick<
  Activities,
  'load' | 'persist' | 'loadDelayed' | 'loadMessage' | 'loadProfile' | 'claimContact'
>;

// A local activity costs no round trip to the server.
const local = proxyLocalActivities<StoreActivities>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 2, initialInterval: '100ms' },
  summary: 'asking the store',
});

// Retries without limit: an outage of the store delays commits and never loses them.
const regular = proxyActivities<StoreActivities>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '200ms', maximumInterval: '3s', backoffCoefficient: 1.5 },
  summary: 'waiting for the store',
});

/** Returns an activity that never rejects: turns are never cancelled. */
function untilStoreResponds<In, Out>(choose: (from: StoreActivities) => (input: In) => Promise<Out>) {
  return (input: In): Promise<Out> => choose(local)(input).catch(() => choose(regular)(input));
}

const load = untilStoreResponds((from) => from.load);
const persist = untilStoreResponds((from) => from.persist);
export const loadDelayed = untilStoreResponds((from) => from.loadDelayed);
export const loadMessage = untilStoreResponds((from) => from.loadMessage);
export const loadProfile = untilStoreResponds((from) => from.loadProfile);
export const claimContact = untilStoreResponds((from) => from.claimContact);

/** State cached by a run. The store is authoritative. */
export interface ConversationCache extends CachedConversation {
  id: string;
  /** False until the state was carried over or loaded, or a commit was stored. */
  loaded: boolean;
  conditional: readonly string[];
  /** Delayed messages stored by this run. */
  held: DelayedMessageCache;
  facts?: OperatorFacts | undefined;
  undelivered?: Undelivered | undefined;
  timers: TimerList;
  /** The next timer of a state and a list: computing it may take milliseconds. */
  nextTimer?: { state: ConversationState; timers: TimerList; next: NextTimer | undefined };
  /** Whether this run has loaded the names in `facts`. */
  named: boolean;
}

export function getNextTimer(known: ConversationCache): NextTimer | undefined {
  const { state, timers } = known;
  if (!state || timers.timers.length === 0) return undefined;
  if (known.nextTimer?.state !== state || known.nextTimer.timers !== timers) {
    known.nextTimer = { state, timers, next: findNextTimer(state, timers) };
  }
  return known.nextTimer.next;
}

export interface DecidedCommit<Answer> {
  base: ConversationState | null;
  changes: Change[];
  state: ConversationState | null;
  answer: Answer;
  conditional?: string | undefined;
}

/**
 * Stores changes. If the store is ahead of this run, because a task was lost after its write,
 * adopts the stored state and decides again (docs/decisions/commit.md).
 */
export async function commit<Answer>(
  known: ConversationCache,
  decide: () => DecidedCommit<Answer>,
): Promise<Answer> {
  for (;;) {
    const { base, changes, state, answer, conditional } = decide();
    if (changes.length === 0 || !base || !state) return answer;
    const ids = missingLabels(known, state, changes);
    const naming = ids.length > 0 ? ids : undefined;
    const result = await persist({ base, changes, conditional, naming, timers: known.timers.version });
    known.timers = ('timers' in result && result.timers) || known.timers;
    if (result.outcome === 'retimed') continue;
    if (result.outcome === 'stored') {
      mergeLabels(known, ids, result.facts);
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

export async function ensureLoaded(known: ConversationCache): Promise<void> {
  if (!known.loaded)
    applyLoaded(known, await load({ id: known.id, naming: true, timers: known.timers.version }));
}

export async function reload(known: ConversationCache): Promise<void> {
  applyLoaded(known, await load({ id: known.id, timers: known.timers.version }));
}

function applyLoaded(known: ConversationCache, result: LoadResult): void {
  known.state = result.state;
  known.recent = createRecentMessages(result.state ? result.recent : []);
  known.conditional = result.state ? result.conditional : [];
  known.held = emptyDelayedMessageCache();
  known.deleted = !result.state && result.deleted;
  known.loaded = true;
  if (result.state) known.timers = result.timers ?? known.timers;
  if (result.state) known.undelivered = result.undelivered;
  if (result.state && result.facts) mergeLabels(known, [], result.facts);
}

/** Returns the ids whose names to load: once all, later new ids and a renamed contact. */
function missingLabels(
  { facts, named }: ConversationCache,
  state: ConversationState,
  changes: Change[],
): string[] {
  const ids = labelIds(state);
  if (!named) return ids;
  const renamed = changes.some((change) => contactEffects(change).some(({ field }) => /name$/i.test(field)));
  return ids.filter((id) => facts?.names[id] === undefined || (renamed && id === state.contact));
}

/** Caches an id without a name as '', so that its name is not loaded again. */
function mergeLabels(known: ConversationCache, ids: string[], loaded: OperatorFacts | undefined): void {
  const latest = loaded ?? known.facts;
  if (latest) {
    const before = known.named || !loaded ? known.facts?.names : {};
    const nameless = Object.fromEntries(ids.map((id) => [id, '']));
    known.facts = { ...latest, names: { ...before, ...nameless, ...loaded?.names } };
  }
  known.named ||= ids.length > 0 || loaded !== undefined;
}
