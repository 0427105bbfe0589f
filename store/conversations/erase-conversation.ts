import type mongoose from 'mongoose';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import type { ReferenceTo } from '../../domain/resources.ts';
import { storeDate } from '../cluster/clock.ts';
import { contactModel } from './contacts.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { removeConversationBodies } from '../delivery/delivery-bodies.ts';
import { deliveryModel } from '../delivery/deliveries.ts';
import { eraseEvents } from '../records/business-events.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { messageModel } from './messages.ts';
import { removePresence } from './presences.ts';
import { searchWordsModel } from './search-words.ts';
import { visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/**
 * All that is left of a conversation: its names, so that nothing takes its place, and until all is
 * told, its last commit.
 */
const KEPT = ['_id', 'slug', 'formerOrganization', 'version', 'deletedAt', 'erasedAt', 'commit'];

/**
 * The id of a conversation within reach that can be erased: one that lives, or whose erasure has
 * begun and has not gone through.
 */
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

/**
 * Makes a tombstone of a conversation: from now on nothing finds it and nothing writes to it. False
 * when it is not in this version any more. `commit` is its last one as JSON.
 */
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
 * The last commit of a conversation that is being erased; null when that is over, or never began.
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
  /** Events whose deliveries stay: those that tell of the removal. */
  butEvents: readonly string[];
}

/**
 * Removes a contact and the business events that posted into its conversation, and leaves of its
 * messages and deliveries only tombstones without content: whoever writes them again, having been
 * frozen meanwhile, finds them there and leaves them. Repeatable.
 */
export async function eraseRecords(erased: ErasedConversation): Promise<void> {
  // The contact first: an upsert that meets it would be sent to a conversation that is gone.
  const { 'contacts.conversation': eraseContact, ...others } = ERASING;
  await eraseContact(erased);
  await Promise.all([
    ...Object.values(others).map((erase) => erase(erased)),
    searchWordsModel.deleteOne({ _id: erased.conversation }),
    removePresence(erased.conversation),
  ]);
}

/** How the records go that go with their conversation. */
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

/**
 * Removes the tombstones that `eraseRecords` has left: call when nobody can be at work on the
 * conversation any more. Repeatable.
 */
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

// Said like this, each half finds its messages by an index: a collection has those of all
// conversations.
async function writeMessageTombstones(conversation: string): Promise<void> {
  const buried = {
    $set: { deletedAt: storeDate() },
    $unset: fieldsExcept(messageModel, ['_id', 'conversation', 'deletedAt']),
  };
  await Promise.all(
    [{ sequence: { $exists: true } }, { dueAt: { $exists: true } }].map((half) =>
      messageModel.collection.updateMany({ conversation, ...half, ...NOT_DELETED }, buried),
    ),
  );
}

function fieldsExcept({ schema }: { schema: mongoose.Schema }, kept: string[]): Record<string, ''> {
  const fields = new Set(Object.keys(schema.paths).map((path) => path.split('.')[0] ?? path));
  return Object.fromEntries([...fields].filter((field) => !kept.includes(field)).map((field) => [field, '']));
}

/** Notes that everything of a buried conversation is gone. */
export async function markErased(id: string, at: Date): Promise<void> {
  await conversationModel.collection.updateOne(
    { _id: id, deletedAt: { $exists: true }, erasedAt: { $exists: false } },
    { $set: { erasedAt: at } },
  );
}

/** Forgets what the erasure had still to tell. */
export async function dropTombstones(id: string): Promise<void> {
  await conversationModel.collection.updateOne(
    { _id: id, deletedAt: { $exists: true } },
    { $unset: { commit: '' } },
  );
}
