import { labelIds } from '../domain/operators/details.ts';
import type { Undelivered } from '../domain/operators/details.ts';
import type {
  Activities,
  LoadDelayedResult,
  LoadMessageInput,
  LoadResult,
  OperatorFacts,
  PersistInput,
  PersistResult,
  SearchAttribute,
} from '../workflows/contract.ts';
import type { Encryption } from '../application/posting/encryption.ts';
import { endedWaits } from '../domain/conversations/waiting-times.ts';
import type { EndedWait } from '../domain/conversations/waiting-times.ts';
import type { CachedMessage } from '../domain/conversations/cached-messages.ts';
import type { LoadedMessage } from '../domain/messages/edit.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import type { RecentMessage } from '../domain/messages/post.ts';
import { findLastMessage } from '../domain/conversations/last-message.ts';
import { SPOKEN_TYPES } from '../domain/messages/message.ts';
import { findRemaining } from '../store/conversations/last-message.ts';
import { contactEffects, collectResults } from '../domain/effects/contact-effects.ts';
import { jsonBytes } from '../domain/free-form.ts';
import { assignConversation, findContactById } from '../store/conversations/contacts.ts';
import type { ContactProfile } from '../store/conversations/contacts.ts';
import {
  loadConversation,
  hasMetRemoval,
  revertFirstCommit,
  writeCommit,
} from '../store/conversations/commits.ts';
import type { StoredConversation } from '../store/conversations/commits.ts';
import {
  findDelayed,
  findExistingMessages,
  findRecent,
  findStoredMessage,
} from '../store/conversations/processed-messages.ts';
import { findLastFailed } from '../store/conversations/receipts.ts';
import { findNames, organizationPath } from '../store/conversations/names.ts';
import { computeWakeAt, setWakeAt } from '../store/conversations/wake-times.ts';
import { organizationTimers } from '../store/records/timers.ts';
import type { TimerList } from '../domain/timers/timer.ts';
import { newSlug } from '../store/queries/identifier.ts';
import { findContactAfter, withStates, parseCommit, getStateAfter } from './commit.ts';
import type { Commit } from './commit.ts';
import { selectSubscribers, writeRows } from './write-rows.ts';
import type { WriteRowsDeps } from './write-rows.ts';

export interface ConversationDeps extends WriteRowsDeps {
  searchAttributes: SearchAttribute[];
  slugs: Encryption;
  observeWait: (ended: EndedWait) => void;
}

const MAX_RECENT = 300;

/** Maximum size of several messages together. Temporal accepts results up to 2 MiB. */
const MAX_RESULT_BYTES = 512 * 1024;

/** Maximum messages per query, because messages may be large. */
const LOAD_BATCH = 20;

const ORGANIZATION_REMOVED: PersistResult = { outcome: 'stale', state: null, deleted: true };

export function createConversationActivities(deps: ConversationDeps) {
  return {
    /** Writes the rows of the last commit first. */
    async load({ id, naming, timers }): Promise<LoadResult> {
      const found = await loadConversation(id);
      if (!found.state) return found;
      // A worker may have crashed after the first commit, before `revertFirstCommit`.
      if (await hasMetRemoval(found.state)) return { state: null, deleted: true };
      return buildLoadResult(deps, found, { known: [], naming, timers });
    },

    /**
     * Stores a commit, then its rows. Repeatable: returns `stale` if the commit is stored already.
     * Rejects only if the store is down.
     */
    async persist({ base: given, changes, conditional, naming, timers }): Promise<PersistResult> {
      const base = await withDecryptedSlug(deps, given);
      const { id } = base;
      const [newTimers, known] = await Promise.all([
        findNewTimers(base, timers),
        findExistingMessages(id, { externalIds: collectExternalIds(changes) }),
      ]);
      if (newTimers && changes.some(({ kind }) => kind === 'timed')) {
        return { outcome: 'retimed', timers: newTimers };
      }
      if (known.length > 0) return buildStaleResult(deps, id, { known, naming: Boolean(naming), timers });
      const commit = await buildCommit(base, changes);
      const commitWithStates = withStates(commit);
      const next = getStateAfter(commitWithStates);
      const results = await writeCommit({
        base,
        next,
        wakeAt: await computeWakeAt(next),
        results: changes.flatMap(collectResults),
        conditional,
        lastMessage: findLastMessage(changes),
        commit: JSON.stringify(commit),
      });
      if (!results) {
        const made = await findExistingMessages(id, { ids: changes.map((change) => change.id) });
        return buildStaleResult(deps, id, { known: made, naming: Boolean(naming), timers });
      }
      if (await revertFirstCommit({ ...base, version: base.version + 1 })) return ORGANIZATION_REMOVED;
      endedWaits(base, next).forEach(deps.observeWait);
      await writeRows(deps, commitWithStates, results);
      const facts = naming && (await loadOperatorLabels(deps, next, naming));
      return { outcome: 'stored', facts, timers: newTimers };
    },

    async loadDelayed(ids): Promise<LoadDelayedResult> {
      const found: CachedMessage[] = [];
      let bytes = 0;
      for (let at = 0; at < ids.length; at += LOAD_BATCH) {
        for (const one of await findDelayed(ids.slice(at, at + LOAD_BATCH))) {
          bytes += jsonBytes(one);
          if (found.length > 0 && bytes > MAX_RESULT_BYTES) {
            return { found, looked: ids.indexOf(one.message.id) };
          }
          found.push(one);
        }
      }
      return { found, looked: ids.length };
    },

    loadProfile: async (contact) => ({ ...(await findContactById(contact))?.profile }),

    claimContact: ({ contact, conversation }) => assignConversation(contact, conversation),

    loadMessage,
  } satisfies Partial<Activities>;
}

async function loadMessage({
  conversation,
  message: id,
  maxLater,
}: LoadMessageInput): Promise<LoadedMessage | null> {
  const stored = await findStoredMessage(conversation, id);
  const { type, sequence } = stored?.message ?? {};
  if (!stored || !type || sequence === undefined || maxLater === undefined) return stored;
  if (!SPOKEN_TYPES.includes(type)) return stored;
  return { ...stored, remaining: await findRemaining(conversation, { id, sequence, maxLater }) };
}

/** `known`: stored messages with the ids or external ids of the changes. */
interface LoadOptions {
  known: RecentMessage[];
  naming?: boolean | undefined;
  /** Version of the timers that the workflow knows. */
  timers?: string | undefined;
}

async function buildLoadResult(
  deps: ConversationDeps,
  { state, commit, results, conditional, wakeAt }: Extract<StoredConversation, { commit?: unknown }>,
  { known, naming, timers }: LoadOptions,
): Promise<Extract<LoadResult, { recent: unknown }>> {
  if (commit) await writeRows(deps, parseCommit(commit), results);
  await correctWakeAt(state, wakeAt);
  const facts = naming ? await loadOperatorLabels(deps, state, labelIds(state)) : undefined;
  return {
    state: { ...state, slug: deps.slugs.encrypt(state.slug) },
    recent: [...(await findRecent(state.id, MAX_RECENT)), ...known],
    conditional,
    facts,
    undelivered: await findUndelivered(state),
    timers: await findNewTimers(state, timers),
  };
}

/** Reads nothing for a conversation that no service has carried. */
async function findUndelivered({ id, touchpoints }: ConversationState): Promise<Undelivered | undefined> {
  const isCarried = Object.values(touchpoints).some(({ services }) => services.length > 0);
  const { delivery, touchpoint } = (isCarried && (await findLastFailed(id))) || {};
  if (!delivery?.error || touchpoint === undefined) return undefined;
  const { code, message: reason } = delivery.error;
  return { touchpoint, at: delivery.at, code, reason };
}

/** Returns the timers of the conversation unless the workflow knows them. */
async function findNewTimers(
  { organization }: ConversationState,
  version: string | undefined,
): Promise<TimerList | undefined> {
  const timers = await organizationTimers(organization);
  return timers.version === version ? undefined : timers;
}

// An outdated time would be found overdue again and again.
async function correctWakeAt(state: ConversationState, stored: Date | undefined): Promise<void> {
  const wakeAt = await computeWakeAt(state);
  if (wakeAt?.getTime() === stored?.getTime()) return;
  await setWakeAt({ _id: state.id, version: state.version, wakeAt });
}

async function buildStaleResult(
  deps: ConversationDeps,
  id: string,
  options: LoadOptions,
): Promise<PersistResult> {
  const found = await loadConversation(id);
  if (!found.state) return { outcome: 'stale', ...found };
  if (await revertFirstCommit(found.state)) return ORGANIZATION_REMOVED;
  return { outcome: 'stale', ...(await buildLoadResult(deps, found, options)) };
}

// After a change of AUTH_SECRET, takes the slug from the store, or a new slug.
async function withDecryptedSlug(
  { slugs }: ConversationDeps,
  state: ConversationState,
): Promise<ConversationState> {
  const slug = slugs.decrypt(state.slug) ?? (await loadConversation(state.id)).state?.slug ?? newSlug();
  return { ...state, slug };
}

async function buildCommit(base: ConversationState, changes: PersistInput['changes']): Promise<Commit> {
  const [services, profile] = await Promise.all([
    selectSubscribers(base, changes),
    findProfileBefore(findContactAfter({ base, changes }), changes),
  ]);
  return { base, changes, services, profile };
}

// Each event shows the profile before and after its change. The store has only the last profile.
async function findProfileBefore(
  contact: string | undefined,
  changes: PersistInput['changes'],
): Promise<ContactProfile | undefined> {
  const isChanged = changes.some((change) => contactEffects(change).length > 0);
  return isChanged && contact !== undefined ? (await findContactById(contact))?.profile : undefined;
}

function collectExternalIds(changes: PersistInput['changes']): string[] {
  return changes.flatMap((change) =>
    (change.kind === 'processed' && !change.wasDelayed) || change.kind === 'delayed'
      ? (change.message.externalId ?? [])
      : [],
  );
}

async function loadOperatorLabels(
  { searchAttributes }: ConversationDeps,
  { organization, contact }: Pick<ConversationState, 'organization' | 'contact'>,
  ids: string[],
): Promise<OperatorFacts> {
  const [names, path] = await Promise.all([
    findNames(ids, { organization, contact }),
    organizationPath(organization),
  ]);
  return { names, path, attributes: searchAttributes };
}
