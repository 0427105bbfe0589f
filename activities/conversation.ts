import { labelIds } from '../domain/operators/titles.ts';
import type {
  ClaimContactInput,
  DelayedMessage,
  LoadDelayedResult,
  LoadedMessage,
  LoadInput,
  LoadMessageInput,
  LoadResult,
  PersistInput,
  PersistResult,
  SearchAttribute,
  LabelIds,
  OperatorFacts,
} from '../workflows/contract.ts';
import type { Encryption } from '../application/posting/encryption.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { contactEffects, collectResults } from '../domain/effects/contact-effects.ts';
import type { Profile } from '../domain/effects/contact-effects.ts';
import { jsonBytes } from '../domain/free-form.ts';
import { assignConversation, findContactById } from '../store/conversations/contacts.ts';
import {
  loadConversation,
  hasMetRemoval,
  revertFirstCommit,
  writeCommit,
} from '../store/conversations/commits.ts';
import {
  findDelayed,
  findExistingMessages,
  findRecent,
  findStoredMessage,
} from '../store/conversations/processed-messages.ts';
import { newSlug } from '../store/queries/identifier.ts';
import { findContactAfter, withStates, parseCommit, getStateAfter } from './commit.ts';
import type { Commit } from './commit.ts';
import { selectSubscribers, writeRows } from './write-rows.ts';
import type { WriteRowsDeps } from './write-rows.ts';
import { findNames, organizationPath } from '../store/conversations/names.ts';

export interface ConversationDeps extends WriteRowsDeps {
  searchAttributes: SearchAttribute[];
  slugs: Encryption;
}

// Enough to recognise the messages of a retried request.
const MAX_RECENT = 300;

/** Temporal accepts payloads up to 2 MiB. A single message has at most 1 MiB. */
const MAX_RESULT_BYTES = 512 * 1024;

/**
 * One query per message would take too long. One query for all could load a hundred large messages.
 */
const LOAD_BATCH = 20;

const ORGANIZATION_REMOVED: PersistResult = { outcome: 'stale', state: null, deleted: true };

/** Activities of the conversation workflow, its only access to the store. */
export function createConversationActivities(deps: ConversationDeps) {
  return {
    /** Writes the rows of the last commit first. */
    load: (input: LoadInput): Promise<LoadResult> => loadStoredConversation(deps, input),

    /**
     * Stores a commit, then its rows. Repeatable: a second call returns `stale` with the stored
     * state. Rejects only if the store is down.
     */
    async persist({ base: given, changes, conditional, naming }: PersistInput): Promise<PersistResult> {
      const base = await withDecryptedSlug(deps, given);
      const known = await findExistingMessages(base.id, { externalIds: collectExternalIds(changes) });
      if (known.length > 0) return buildStaleResult(deps, { id: base.id, known, naming });
      const commit = await buildCommit({ base, changes });
      const commitWithStates = withStates(commit);
      const results = await writeCommit({
        base,
        next: getStateAfter(commitWithStates),
        results: changes.flatMap(collectResults),
        conditional,
        commit: JSON.stringify(commit),
      });
      if (results && (await revertFirstCommit({ ...base, version: base.version + 1 })))
        return ORGANIZATION_REMOVED;
      if (!results) {
        const made = await findExistingMessages(base.id, { ids: changes.map(({ id }) => id) });
        return buildStaleResult(deps, { id: base.id, known: made, naming });
      }
      await writeRows(deps, commitWithStates, results);
      return {
        outcome: 'stored',
        ...(naming ? { facts: await loadOperatorLabels(deps, getStateAfter(commitWithStates), naming) } : {}),
      };
    },

    /**
     * Returns as many messages as fit into one result, in the order of the ids. Leaves out deleted
     * messages.
     */
    loadDelayed: loadDelayedMessages,

    /** Returns an empty profile if the contact does not exist. */
    async loadProfile(contact: string): Promise<Profile> {
      const found = await findContactById(contact);
      return { ...found?.profile };
    },

    /**
     * Returns the contact's conversation, which is this one unless it had another. Null without a
     * contact.
     */
    claimContact({ contact, conversation }: ClaimContactInput): Promise<string | null> {
      return assignConversation(contact, conversation);
    },

    loadMessage({ conversation, message }: LoadMessageInput): Promise<LoadedMessage | null> {
      return findStoredMessage(conversation, message);
    },
  };
}

async function loadStoredConversation(
  deps: ConversationDeps,
  { id, naming }: LoadInput,
): Promise<LoadResult> {
  const found = await loadConversation(id);
  if (!found.state) return found;
  const { state, conditional } = found;
  // A worker may have crashed between the first commit and this check.
  if (await hasMetRemoval(state)) return { state: null, deleted: true };
  if (found.commit) await writeRows(deps, parseCommit(found.commit), found.results);
  const facts = naming && (await loadOperatorLabels(deps, state, labelIds(state)));
  return {
    state: withEncryptedSlug(deps, state),
    recent: await findRecent(id, MAX_RECENT),
    conditional,
    ...(facts ? { facts } : {}),
  };
}

function withEncryptedSlug({ slugs }: ConversationDeps, state: ConversationState): ConversationState {
  return { ...state, slug: slugs.encrypt(state.slug) };
}

// Reads the slug from the store after a change of AUTH_SECRET. A new conversation gets a new slug.
async function withDecryptedSlug(
  { slugs }: ConversationDeps,
  state: ConversationState,
): Promise<ConversationState> {
  const slug = slugs.decrypt(state.slug) ?? (await loadConversation(state.id)).state?.slug ?? newSlug();
  return { ...state, slug };
}

async function loadDelayedMessages(ids: string[]): Promise<LoadDelayedResult> {
  const found: DelayedMessage[] = [];
  let bytes = 0;
  for (let at = 0; at < ids.length; at += LOAD_BATCH) {
    for (const one of await findDelayed(ids.slice(at, at + LOAD_BATCH))) {
      bytes += jsonBytes(one);
      if (found.length > 0 && bytes > MAX_RESULT_BYTES) return { found, looked: ids.indexOf(one.message.id) };
      found.push(one);
    }
  }
  return { found, looked: ids.length };
}

interface Stale extends Pick<PersistInput, 'naming'> {
  id: string;
  known: Awaited<ReturnType<typeof findExistingMessages>>;
}

async function buildStaleResult(
  deps: ConversationDeps,
  { id, known, naming }: Stale,
): Promise<PersistResult> {
  const found = await loadConversation(id);
  if (!found.state) return { outcome: 'stale', ...found };
  if (await revertFirstCommit(found.state)) return ORGANIZATION_REMOVED;
  if (found.commit) await writeRows(deps, parseCommit(found.commit), found.results);
  const { conditional } = found;
  const facts = naming && (await loadOperatorLabels(deps, found.state, labelIds(found.state)));
  return {
    outcome: 'stale',
    state: withEncryptedSlug(deps, found.state),
    recent: [...(await findRecent(id, MAX_RECENT)), ...known],
    conditional,
    ...(facts ? { facts } : {}),
  };
}

async function buildCommit({ base, changes }: PersistInput): Promise<Commit> {
  const [services, before] = await Promise.all([
    selectSubscribers(base, changes),
    findProfileBefore(findContactAfter({ base, changes }), changes),
  ]);
  return { base, changes, services, ...before };
}

// Loads the profile, because the state after all changes does not include the contact between them.
async function findProfileBefore(
  contact: string | undefined,
  changes: PersistInput['changes'],
): Promise<Pick<Commit, 'profile'>> {
  const several = changes.filter((change) => contactEffects(change).length > 0).length > 1;
  const found = several && contact !== undefined ? await findContactById(contact) : null;
  return found ? { profile: found.profile } : {};
}

function collectExternalIds(changes: PersistInput['changes']): string[] {
  return changes.flatMap((change) =>
    (change.kind === 'processed' && !change.wasDelayed) || change.kind === 'delayed'
      ? (change.message.externalId ?? [])
      : [],
  );
}

/** Leaves out names that the store does not return in time (spec 11.2). */
async function loadOperatorLabels(
  { searchAttributes }: { searchAttributes: SearchAttribute[] },
  { organization, contact }: Pick<ConversationState, 'organization' | 'contact'>,
  naming: LabelIds,
): Promise<OperatorFacts> {
  const [names, path] = await Promise.all([
    findNames(naming, { organization, contact }),
    organizationPath(organization),
  ]);
  return { names, path, attributes: searchAttributes };
}
