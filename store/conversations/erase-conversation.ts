import type mongoose from 'mongoose';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import type { ReferenceTo } from '../../domain/resources.ts';
import { storeDate } from '../cluster/clock.ts';
import { contactModel } from './contacts.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { deliveryModel, removeConversationBodies } from '../delivery/deliveries.ts';
import { eraseEvents } from '../records/business-events.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { PROCESSED_OR_DELAYED, messageModel } from './messages.ts';
import { removePresence } from './presences.ts';
import { searchWordsModel } from './search-words.ts';
import { visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** The last commit stays until its events are published. */
const KEPT = ['_id', 'slug', 'formerOrganization', 'version', 'deletedAt', 'erasedAt', 'commit'];

/** Returns null if the conversation is missing, out of reach or completely erased. */
export async function findErasable(reach: Reach, id: string): Promise<string | null> {
  const found = await conversationModel
    .findOne(
      { _id: id, $or: [NOT_DELETED, { erasedAt: { $exists: false } }] },
      { organization: 1, formerOrganization: 1 },
    )
    .lean<Pick<ConversationDocument, '_id' | 'organization' | 'formerOrganization'>>();
  if (!found) return null;
  const organization = found.formerOrganization ?? found.organization;
  return (await visibleOrNull(reach, { ...found, organization }))?._id ?? null;
}

/** Returns false if the version differs. */
export async function markDeleted(
  { id, version, organization }: Pick<ConversationState, 'id' | 'version' | 'organization'>,
  { commit, at }: { commit: string; at: Date },
): Promise<boolean> {
  const { matchedCount } = await conversationModel.collection.updateOne(
    { _id: id, version, ...NOT_DELETED },
    {
      $set: { deletedAt: at, formerOrganization: organization, version: version + 1, commit },
      $unset: fieldsExcept(conversationModel, KEPT),
    },
  );
  return matchedCount === 1;
}

/**
 * Returns the last commit of a deleted conversation, or null if the conversation is not deleted or
 * its erasure is complete.
 */
export async function findTombstones(id: string): Promise<string | null> {
  const found = await conversationModel
    .findOne({ _id: id, deletedAt: { $exists: true } }, { commit: 1 })
    .lean<Pick<ConversationDocument, 'commit'>>();
  return found?.commit ?? null;
}

interface ErasedConversation {
  conversation: string;
  contact: string | undefined;
  /** Events whose deliveries stay. */
  butEvents: readonly string[];
}

/**
 * Erases a conversation's records. Messages and deliveries become tombstones, so that a late write
 * by a paused worker restores nothing. Repeatable.
 */
export async function eraseRecords(erased: ErasedConversation): Promise<void> {
  // The contact is erased first, so that no upsert finds it.
  const { 'contacts.conversation': eraseContact, ...others } = ERASING;
  await eraseContact(erased);
  await Promise.all([
    ...Object.values(others).map((erase) => erase(erased)),
    searchWordsModel.deleteOne({ _id: erased.conversation }),
    removePresence(erased.conversation),
  ]);
}

const ERASING: Record<
  ReferenceTo<'conversations', 'cascade'>,
  (erased: ErasedConversation) => Promise<unknown>
> = {
  'contacts.conversation': async ({ contact }) => {
    if (contact !== undefined) await contactModel.deleteOne({ _id: contact });
  },
  'messages.conversation': ({ conversation }) => writeMessageTombstones(conversation),
  'deliveries.conversation': ({ conversation, butEvents }) =>
    Promise.all([
      removeConversationBodies(conversation, butEvents),
      deliveryModel.collection.updateMany(
        { conversation, eventId: { $exists: true, $nin: [...butEvents] } },
        {
          $set: { status: 'skipped' },
          $unset: fieldsExcept(deliveryModel, ['_id', 'conversation', 'status']),
        },
      ),
    ]),
  'events.conversations': ({ conversation }) => eraseEvents(conversation),
};

/** Call when no worker can write any more. Repeatable. */
export async function removeTombstones({
  conversation,
  butEvents,
}: Omit<ErasedConversation, 'contact'>): Promise<void> {
  await Promise.all([
    messageModel.deleteMany({ conversation, deletedAt: { $exists: true } }),
    deliveryModel.deleteMany({ conversation, eventId: { $nin: [...butEvents] } }),
    removeConversationBodies(conversation, butEvents),
  ]);
}

async function writeMessageTombstones(conversation: string): Promise<void> {
  const buried = {
    $set: { deletedAt: storeDate() },
    $unset: fieldsExcept(messageModel, ['_id', 'conversation', 'deletedAt']),
  };
  await Promise.all(
    PROCESSED_OR_DELAYED.map((part) =>
      messageModel.collection.updateMany({ conversation, ...part, ...NOT_DELETED }, buried),
    ),
  );
}

function fieldsExcept({ schema }: { schema: mongoose.Schema }, kept: string[]): Record<string, ''> {
  const fields = new Set(Object.keys(schema.paths).map((path) => path.split('.')[0] ?? path));
  return Object.fromEntries([...fields].filter((field) => !kept.includes(field)).map((field) => [field, '']));
}

export async function markErased(id: string, at: Date): Promise<void> {
  await conversationModel.collection.updateOne(
    { _id: id, deletedAt: { $exists: true }, erasedAt: { $exists: false } },
    { $set: { erasedAt: at } },
  );
}

export async function dropTombstones(id: string): Promise<void> {
  await conversationModel.collection.updateOne(
    { _id: id, deletedAt: { $exists: true } },
    { $unset: { commit: '' } },
  );
}
