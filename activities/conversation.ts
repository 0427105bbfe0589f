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
  /** The search attributes that the namespace has. */
  searchAttributes: SearchAttribute[];
  /** Opens slugs that come from workflows, and closes slugs that go to workflows. */
  slugs: Encryption;
}

// As many as a retried request may have to be recognised among.
const MAX_RECENT = 300;

/** Temporal carries 2 MiB at once; a single message is never larger than 1 MiB. */
const MAX_RESULT_BYTES = 512 * 1024;

/**
 * A statement for each would take longer than an activity may; all by one could be a hundred large
 * ones at once.
 */
const LOAD_BATCH = 20;

/** Result for a conversation whose organization was removed while it was created. */
const ORGANIZATION_REMOVED: PersistResult = { outcome: 'stale', state: null, deleted: true };

/** The activities of the conversation workflow: its only ways to the store. */
export function createConversationActivities(deps: ConversationDeps) {
  return {
    /**
     * What the store knows of a conversation, after everything that its last commit says is in its
     * collections.
     */
    load: (input: LoadInput): Promise<LoadResult> => loadStoredConversation(deps, input),

    /**
     * Stores a batch of decisions: one atomic write, then its rows. Safe to repeat: a second time
     * it answers `stale` with what the first one stored. Rejects only when the store does not
     * answer.
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
     * The content of delayed messages, in the order asked for, as many as one answer may carry;
     * those that are gone are missing.
     */
    loadDelayed: loadDelayedMessages,

    /** A contact's profile as it is; empty if there is none, or none any more. */
    async loadProfile(contact: string): Promise<Profile> {
      const found = await findContactById(contact);
      return { ...found?.profile };
    },

    /**
     * Gives a contact that has no conversation this one; answers the one that it has then, null if
     * there is no such contact.
     */
    claimContact({ contact, conversation }: ClaimContactInput): Promise<string | null> {
      return assignConversation(contact, conversation);
    },

    /** A message of the conversation with its content; null if there is none, or none any more. */
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
  // A worker may have died between the first commit and its look at the organization.
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

// After a change of AUTH_SECRET the slug of a stored conversation is read from the store, and a new
// conversation gets a new slug.
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

// The state after both changes does not say what the contact was between them.
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

/**
 * What operators are shown beside a conversation's state (spec 11.2). Names are a kindness: those
 * that the store does not tell soon are missing, and nothing waits for them.
 */
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
