import Type from 'typebox';
import {
  contactExternalId,
  contactIdentity,
  contactNote,
  contactProfile,
  newProfile,
} from '../../schema/conversation-body.ts';
import { Meta, OwnedBy, Settings, about, idOf } from '../../schema/kinds.ts';
import { answerOnly, declareRecord, internal, shownEmpty, withDefault } from '../../schema/record.ts';
import { defineRecordModel } from '../connection/model.ts';
import type { RecordDocument } from '../connection/model.ts';
import type { EventActor } from '../../domain/events/event-record.ts';
import { conversationModel } from './conversations.ts';
import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { insertOnce, isDuplicateKey } from '../queries/insert.ts';
import { NOT_DELETED, findFirst } from '../queries/find.ts';
import type { BoundedSearch } from '../queries/find.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import type { Patch } from '../queries/patch.ts';
import { insertInto } from '../records/organization-removal.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** A merge under way, stored in the contact that is merged into another one (spec 4.7). */
export interface Merging {
  id: string;
  /** The surviving contact. */
  into: string;
  actor: EventActor;
  at: Date;
  /** Identifiers that the contact had. */
  externalId?: string;
  telephone?: string;
  email?: string;
  identityKeys?: string[];
}

/** See spec 4.4. The email is in lower case, the telephone in E.164. */
export const contactRecord = declareRecord({
  resource: 'contacts',
  title: 'Contact',
  description: 'A person who writes to the organization.',
  fields: {
    organization: OwnedBy,
    // Written before the conversation itself is stored.
    conversation: answerOnly(
      Type.Optional(idOf('conversations', 'The conversation of the contact, if any.')),
    ),
    externalId: Type.Optional(contactExternalId),
    profile: withDefault(contactProfile, {}),
    identities: answerOnly(
      Type.Optional(about(Type.Array(contactIdentity), 'The addresses of the contact on channels.')),
    ),
    labels: answerOnly(
      Type.Optional(about(Type.Array(Type.String()), 'The labels, in lower case.', ['vip'])),
    ),
    notes: answerOnly(
      Type.Optional(
        about(
          Type.Array(contactNote),
          'The notes of agents, the oldest first. The contact does not see them.',
        ),
      ),
    ),
    // Unique per organization: service and id of each identity.
    identityKeys: internal(Type.Optional(Type.Array(Type.String()))),
    blocked: Type.Optional(
      about(Type.Boolean(), 'Whether what the contact writes is refused. Absent: no.', true),
    ),
    settings: shownEmpty(Settings),
    meta: withDefault(Meta, {}),
    merging: internal(Type.Optional(Type.Unsafe<Merging>({ type: 'object' }))),
  },
  create: { profile: Type.Optional(newProfile) },
});

export type ContactDocument = RecordDocument<typeof contactRecord>;
export type ContactProfile = ContactDocument['profile'];

export const contactModel = defineRecordModel<ContactDocument>('Contact', contactRecord, [
  [{ organization: 1, _id: 1 }],
  [{ 'merging.into': 1 }, { sparse: true }],
  [{ 'merging.at': 1 }, { sparse: true }],
  ...['profile.email', 'profile.telephone', 'externalId', 'identityKeys'].map(
    (identifier): [Record<string, 1>, object] => [
      { organization: 1, [identifier]: 1 },
      { unique: true, partialFilterExpression: { [identifier]: { $exists: true } } },
    ],
  ),
]);

export async function findContact(reach: Reach, id: string): Promise<ContactDocument | null> {
  return visibleOrNull(reach, await contactModel.findById(id).lean<ContactDocument>());
}

export async function findContactsByIds(reach: Reach, ids: readonly string[]): Promise<ContactDocument[]> {
  return filterVisible(reach, await contactModel.find({ _id: { $in: [...ids] } }).lean<ContactDocument[]>());
}

/** Does not check the reach. */
export async function findContactById(id: string): Promise<ContactDocument | null> {
  return contactModel.collection.findOne({ _id: id });
}

/** Does not check the reach. */
export async function isContactBlocked(id: string): Promise<boolean> {
  const options = { projection: { _id: 1 } };
  return (await contactModel.collection.findOne({ _id: id, blocked: true }, options)) !== null;
}

/** A value that is unique among the contacts of an organization, by its path. */
export type ContactIdentifier =
  | { 'profile.telephone': string }
  | { 'profile.email': string }
  | { externalId: string }
  | { identityKeys: string };

/** Expects a normalized value. */
export async function findContactBy(
  organization: string,
  identifier: ContactIdentifier,
): Promise<ContactDocument | null> {
  return contactModel.collection.findOne({ organization, ...identifier });
}

export async function listContacts(reach: Reach, query: ListQuery): Promise<Page<ContactDocument>> {
  return findPage(contactModel, { organization: { $in: await organizationsWithin(reach) } }, query);
}

export async function firstContact(reach: Reach, search: BoundedSearch): Promise<ContactDocument | null> {
  return findFirst(contactModel, { organization: { $in: await organizationsWithin(reach) } }, search);
}

/**
 * Rejects with a duplicate-key error if another contact has the email or telephone, or with
 * DomainError `forbidden` if the organization is removed concurrently.
 */
export async function insertContact(contact: ContactDocument): Promise<void> {
  const { _id, organization } = contact;
  await insertInto(organization, () => insertOnce(contactModel, contact), {
    takeBack: () => contactModel.deleteOne({ _id, organization }),
  });
}

/**
 * Returns null if the contact is out of reach or differs from `seen`. Rejects with a duplicate-key
 * error as `insertContact` does.
 */
export async function updateContact(
  reach: Reach,
  id: string,
  patch: Patch<ContactDocument>,
  seen?: ContactDocument,
): Promise<ContactDocument | null> {
  const contact = await findContact(reach, id);
  if (!contact) return null;
  const same = { _id: id, organization: contact.organization, ...unchangedFilter(contactModel, seen) };
  return contactModel
    .findOneAndUpdate(same, toUpdateOperators(patch), { returnDocument: 'after' })
    .lean<ContactDocument>();
}

/** Returns several conversations after a merge (spec 4.7), the newest first. */
export async function findConversationsOf(contact: string): Promise<string[]> {
  const found = await conversationModel.collection
    .find({ contact, ...NOT_DELETED }, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Returns the contact's conversation. If that is missing or lost, assigns `fresh`. */
export async function assignConversation(contact: string, fresh: string): Promise<string | null> {
  const conversation = await assignIfFree(contact, fresh);
  if (conversation === null || conversation === fresh) return conversation;
  return (await releaseContact({ _id: contact, conversation })) ? assignIfFree(contact, fresh) : conversation;
}

/**
 * Unassigns a lost conversation: it is erased or has another contact, because a worker stopped
 * after the assignment. Returns whether the conversation was lost.
 */
export async function releaseContact({
  _id,
  conversation,
}: Required<Pick<ContactDocument, '_id' | 'conversation'>>): Promise<boolean> {
  const lost = await conversationModel.exists({
    _id: conversation,
    $or: [{ erasedAt: { $exists: true } }, { contact: { $exists: true, $ne: _id } }],
  });
  if (!lost) return false;
  await contactModel.updateOne({ _id, conversation }, { $unset: { conversation: '' } });
  return true;
}

/** Repeatable. */
export async function replaceConversation(
  contact: string,
  { conversation, next }: { conversation: string; next: string },
): Promise<void> {
  await contactModel.updateOne({ _id: contact, conversation }, { $set: { conversation: next } });
}

/** Returns null if the contact is gone, or is being merged and has no conversation. */
export async function assignIfFree(contact: string, fresh: string): Promise<string | null> {
  await contactModel.updateOne(
    { _id: contact, conversation: { $exists: false }, merging: { $exists: false } },
    { $set: { conversation: fresh } },
  );
  const found = await contactModel.findById(contact, { conversation: 1 }).lean();
  return found?.conversation ?? null;
}

/** Returns null if the contact is gone or has got a conversation since it was read. */
export async function removeContact({ _id, conversation }: ContactDocument): Promise<ContactDocument | null> {
  return contactModel
    .findOneAndDelete({ _id, conversation: conversation ?? { $exists: false } })
    .lean<ContactDocument>();
}

/** Identifiers to leave out, in the order of the attempts. */
const TAKEN_IDENTIFIERS = [[], ['email'], ['telephone'], ['email', 'telephone']];

/**
 * Applies changes by dotted path; null clears. Repeatable: skips a `version` that is not newer.
 * Skips an email or a telephone that another contact now has.
 */
export async function applyContactChanges(
  contact: string,
  changes: Record<string, string | null>,
  version: number,
): Promise<void> {
  let taken: unknown;
  for (const skipped of TAKEN_IDENTIFIERS) {
    const others = Object.entries(changes).filter(([field]) => !skipped.includes(field));
    try {
      await apply(contact, Object.fromEntries(others), version);
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      taken = error;
    }
  }
  throw taken;
}

async function apply(
  contact: string,
  changes: Record<string, string | null>,
  version: number,
): Promise<void> {
  const paths = Object.entries(changes).map(([field, value]) => [`profile.${field}`, value] as const);
  const set = paths.filter(([, value]) => value !== null);
  const unset = paths.filter(([, value]) => value === null);
  await contactModel.collection.updateOne(
    {
      _id: contact,
      $or: [{ conversationVersion: { $exists: false } }, { conversationVersion: { $lt: version } }],
    },
    {
      $set: { ...Object.fromEntries(set), conversationVersion: version, updatedAt: new Date() },
      ...(unset.length > 0 ? { $unset: Object.fromEntries(unset.map(([path]) => [path, ''])) } : {}),
    },
  );
}
