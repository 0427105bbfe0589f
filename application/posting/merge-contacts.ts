import { setTimeout as sleep } from 'node:timers/promises';
import { identityKey } from '../../domain/channels/identity.ts';
import type { Identity } from '../../domain/channels/identity.ts';
import { IDENTIFIERS } from '../../domain/contact-match.ts';
import type { Identifiers } from '../../domain/contact-match.ts';
import { mergeContact, withoutTaken } from '../../domain/contact-merge.ts';
import type { ContactMerge, NotKept } from '../../domain/contact-merge.ts';
import { DomainError, unavailable, unprocessable } from '../../domain/errors.ts';
import { eventId } from '../../domain/events/event-name.ts';
import { toEventActor } from '../../domain/events/event-record.ts';
import { previousValues } from '../../domain/events/previous-values.ts';
import { assertValidFreeForm } from '../../domain/free-form.ts';
import { definedFields } from '../../domain/record-fields.ts';
import {
  beginMerge,
  isMergeTarget,
  removeMerged,
  undoMerge,
} from '../../store/conversations/contact-merges.ts';
import type { MergingContact } from '../../store/conversations/contact-merges.ts';
import {
  assignIfFree,
  contactRecord,
  findContactBy,
  findContactById,
  findConversationsOf,
  updateContact,
} from '../../store/conversations/contacts.ts';
import type { ContactDocument, ContactIdentifier } from '../../store/conversations/contacts.ts';
import { forgetConversationRef } from '../../store/conversations/find-conversations.ts';
import { indexContact } from '../../store/conversations/search-words.ts';
import { loadConversation } from '../../store/conversations/commits.ts';
import { storeDate, storeNow } from '../../store/cluster/clock.ts';
import { publish } from '../../store/delivery/publish.ts';
import { isDuplicateKey } from '../../store/queries/insert.ts';
import type { Principal } from '../auth/principal.ts';
import type { PostingDeps } from './posting-context.ts';

const MAX_TRIES = 20;
const WAIT_MS = 200;
/** After this time a first message has been stored, or its process has died. */
const FIRST_POST_MS = 60_000;

export interface MergeDeps {
  publicUrl: string;
  deliveryShards: number;
  conversations: Pick<PostingDeps['conversations'], 'amend'>;
}

export interface MergeOutcome {
  contact: ContactDocument;
  notKept: NotKept[];
}

interface MergeRequest {
  survivor: ContactDocument;
  other: ContactDocument;
  principal: Principal;
  /** New id of the merge, whose events have ids of it. */
  id: string;
}

/**
 * Merges `other` into `survivor` and removes `other` (spec 4.7). Throws DomainError `conflict` if
 * one of them takes part in another merge, `invalid_request` for free-form data that is too large.
 * A merge whose process dies is finished by `finishMerge`.
 */
export async function mergeContacts(
  { survivor, other, principal, id }: MergeRequest,
  deps: MergeDeps,
): Promise<MergeOutcome> {
  assertValidFreeForm(mergeContact(survivor, other).changes);
  const mark = { id, into: survivor._id, actor: toEventActor(principal), at: storeDate() };
  const marked = await markMerging(other._id, mark);
  return finishMerge(marked, deps);
}

async function markMerging(other: string, merging: MergingContact['merging']): Promise<MergingContact> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findContactById(other);
    if (!found) throw unprocessable('there is no such contact in the organization', 'contact');
    if (isMerging(found)) {
      // A repeated request continues the merge of the first request.
      if (found.merging.into === merging.into) return found;
      throw mergingError(other);
    }
    const marked = await beginMerge(found, merging);
    if (marked) return marked;
  }
  throw unavailable();
}

function isMerging(contact: ContactDocument): contact is MergingContact {
  return (contact as Partial<MergingContact>).merging !== undefined;
}

export function mergingError(contact: string): DomainError {
  return new DomainError('conflict', 'A contact takes part in another merge. Please try again.', {
    conflict: { resource: 'contacts', id: contact },
  });
}

/**
 * Completes a merge that has begun. Each step is repeatable, and concurrent runs do the same. Takes
 * the merge back if the survivor is gone or is merged itself.
 */
export async function finishMerge(other: MergingContact, deps: MergeDeps): Promise<MergeOutcome> {
  const survivor = await findContactById(other.merging.into);
  // Each merge writes its mark before it looks for others, so of two merges one sees the other.
  if (!survivor || isMerging(survivor) || (await isMergeTarget(other._id))) return takeBack(other);
  const { before, after, notKept } = await fillSurvivor(survivor, other);
  await passConversations(other, deps);
  const current = (await findContactById(survivor._id)) ?? after;
  await indexContact(current);
  await announceMerge({ before, after: current }, other, deps);
  await removeMerged(other);
  return { contact: current, notKept };
}

async function takeBack(other: MergingContact): Promise<never> {
  await undoMerge(other);
  throw mergingError(other.merging.into);
}

interface FilledSurvivor {
  /** Absent if nothing changed. */
  before?: ContactDocument;
  after: ContactDocument;
  notKept: NotKept[];
}

async function fillSurvivor(survivor: ContactDocument, other: MergingContact): Promise<FilledSurvivor> {
  const whole = restoreIdentifiers(other);
  const reach = { organization: survivor.organization };
  let stored: ContactDocument | null = survivor;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!stored || isMerging(stored)) return takeBack(other);
    const free = { ...whole, identities: await findFreeIdentities(whole.identities ?? [], stored) };
    const merge: ContactMerge = await withoutTakenIdentifiers(mergeContact(stored, free), stored);
    if (Object.keys(merge.changes).length === 0) return { after: stored, notKept: merge.notKept };
    const updated: ContactDocument | null = await updateContact(
      reach,
      stored._id,
      merge.changes as Partial<ContactDocument>,
      stored,
    ).catch(nullIfDuplicate);
    if (updated) return { before: stored, after: updated, notKept: merge.notKept };
    stored = await findContactById(stored._id);
  }
  throw unavailable();
}

/** The next try finds the contact that has the identifier. */
function nullIfDuplicate(error: unknown): null {
  if (isDuplicateKey(error)) return null;
  throw error;
}

function restoreIdentifiers(contact: MergingContact) {
  const { merging, profile, identities, meta, settings, blocked, labels, notes } = contact;
  const { externalId, telephone, email } = merging;
  return {
    externalId,
    profile: { ...profile, ...definedFields({ telephone, email }) },
    ...definedFields({ identities, meta, settings, blocked, labels, notes }),
  };
}

/** Leaves out identities that a third contact has got. */
async function findFreeIdentities(
  identities: readonly Identity[],
  { _id, organization }: ContactDocument,
): Promise<Identity[]> {
  const free: Identity[] = [];
  for (const identity of identities) {
    const holder = await findContactBy(organization, { identityKeys: identityKey(identity) });
    if (!holder || holder._id === _id) free.push(identity);
  }
  return free;
}

async function withoutTakenIdentifiers(
  merge: ContactMerge,
  { _id, organization }: ContactDocument,
): Promise<ContactMerge> {
  const { externalId, profile = {} } = merge.changes;
  const { telephone, email } = profile as ContactDocument['profile'];
  const given: Identifiers = { externalId, telephone, email };
  const taken: Identifiers = {};
  for (const key of IDENTIFIERS) {
    const value = given[key];
    if (value === undefined) continue;
    const path = key === 'externalId' ? key : `profile.${key}`;
    const holder = await findContactBy(organization, { [path]: value } as ContactIdentifier);
    if (holder && holder._id !== _id) taken[key] = value;
  }
  return withoutTaken(merge, taken);
}

/** Each conversation changes its contact as it makes every other change (spec 5.9). */
async function passConversations(other: MergingContact, { conversations }: MergeDeps): Promise<void> {
  const { _id: from, merging } = other;
  const { id, into, actor } = merging;
  for (const conversation of await findAllConversations(other)) {
    const effects = [{ kind: 'owner' as const, contact: into, from }];
    await conversations.amend(conversation, { id: `${id}-${conversation}`, by: actor.id, effects });
    forgetConversationRef(conversation);
    await assignIfFree(into, conversation);
  }
}

/**
 * The contact's conversation may not be stored yet, if its first message is under way. Throws
 * DomainError `unavailable` while it may still come.
 */
async function findAllConversations({ _id, conversation, merging }: MergingContact): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const found = conversation === undefined ? undefined : await loadConversation(conversation);
    const isKnown = !found || found.state !== null || found.deleted;
    if (isKnown || storeNow() - merging.at.getTime() > FIRST_POST_MS) return findConversationsOf(_id);
    if (tries === MAX_TRIES) throw unavailable();
    await sleep(WAIT_MS);
  }
}

async function announceMerge(
  { before, after }: { before: ContactDocument | undefined; after: ContactDocument },
  { _id, organization, merging }: MergingContact,
  deps: MergeDeps,
): Promise<void> {
  const { id, actor, at } = merging;
  const facts = { timestamp: at.toISOString(), organization, actor };
  const contact = contactRecord.present(after);
  const data = {
    contact,
    ...(before && { previous: previousValues(contactRecord.present(before), contact) }),
  };
  await publish({ id: eventId(id, 1), name: 'contact.update', ...facts, data }, deps);
  // As of an erased contact, the event has ids only (spec 5.8).
  const gone = { id: _id, organization };
  await publish({ id: eventId(id, 2), name: 'contact.delete', ...facts, data: { contact: gone } }, deps);
}
