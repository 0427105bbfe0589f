import mongoose from 'mongoose';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { defineModel } from '../connection/model.ts';
import { conversationModel } from './conversations.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { messageModel } from './messages.ts';
import type { MessageType } from '../../domain/messages/message.ts';

export type TypistRole = 'contact' | 'agent' | 'bot';

/** Typing and reading in a conversation (spec 5.14). */
export interface PresenceDocument {
  _id: string;
  revision: number;
  /** Sequence up to which the contact has read. */
  contactRead?: number;
  contactReadAt?: Date;
  /** By user id, or `contact`. */
  typing?: Record<string, { role: TypistRole; until: Date }>;
  /** Rises with every receipt (spec 15.4). */
  receipts?: number;
}

const CONTACT = 'contact';
/** A count of 100 means at least 100. */
const MAX_COUNTED = 100;
const MAX_RECEIPTS = 200;

const presenceSchema = new mongoose.Schema<PresenceDocument>(
  {
    _id: String,
    revision: Number,
    contactRead: Number,
    contactReadAt: Date,
    typing: mongoose.Schema.Types.Mixed,
    receipts: Number,
  },
  { collection: 'presences', versionKey: false, minimize: false, strict: true },
);

export const presenceModel = defineModel<PresenceDocument>('Presence', presenceSchema);

export async function findPresences(ids: string[]): Promise<PresenceDocument[]> {
  return presenceModel.find({ _id: { $in: ids } }).lean<PresenceDocument[]>();
}

/** Without `user`, the typist is the contact. `until` is null when typing stopped. */
export async function noteTyping(
  conversation: string,
  { user = CONTACT, role, until }: { user?: string; role: TypistRole; until: Date | null },
): Promise<void> {
  const field = `typing.${user}`;
  await change(conversation, until ? { $set: { [field]: { role, until } } } : { $unset: { [field]: '' } });
}

/** Ends the typing of users, and of the contact (`undefined`). */
export async function endTyping(
  conversation: string,
  typists: readonly (string | undefined)[],
): Promise<void> {
  const fields = [...new Set(typists)].map((user = CONTACT) => `typing.${user}`);
  if (fields.length === 0) return;
  await presenceModel.collection.updateOne(
    { _id: conversation, $or: fields.map((field) => ({ [field]: { $exists: true } })) },
    { $unset: Object.fromEntries(fields.map((field) => [field, '' as const])), $inc: { revision: 1 } },
    { writeConcern: { w: 1, journal: false } },
  );
}

export async function noteContactRead(conversation: string, sequence: number, at: Date): Promise<void> {
  const [known] = await findPresences([conversation]);
  if ((known?.contactRead ?? 0) >= sequence) return;
  await change(conversation, { $max: { contactRead: sequence }, $set: { contactReadAt: at } });
}

export const noteReceipt: (conversation: string) => Promise<unknown> = createBatcher({
  maxItems: MAX_RECEIPTS,
  async write(conversations: string[]) {
    const ids = [...new Set(conversations)];
    if ((await countReceipts(ids)) === ids.length) return conversations;
    await countReceipts(ids, { upsert: true });
    const found = await conversationModel.find({ _id: { $in: ids }, ...NOT_DELETED }, { _id: 1 }).lean();
    const existing = new Set(found.map(({ _id }) => _id));
    await Promise.all(ids.filter((id) => !existing.has(id)).map(removePresence));
    return conversations;
  },
});

/** Returns the number of presences that existed. A receipt may count twice: only a rise matters. */
async function countReceipts(ids: readonly string[], options: { upsert?: true } = {}): Promise<number> {
  const update = { $inc: { revision: 1, receipts: 1 } };
  const { matchedCount } = await presenceModel.collection.bulkWrite(
    ids.map((_id) => ({ updateOne: { filter: { _id }, update, ...options } })),
    { ordered: true, writeConcern: { w: 1, journal: false } },
  );
  return matchedCount;
}

export async function countUnread(conversation: string, types: readonly MessageType[]): Promise<number> {
  const [presence] = await findPresences([conversation]);
  return messageModel.countDocuments(
    {
      conversation,
      sequence: { $gt: presence?.contactRead ?? 0 },
      isBackchannel: false,
      type: { $in: [...types] },
      role: { $ne: 'contact' },
      ...NOT_DELETED,
    },
    { limit: MAX_COUNTED },
  );
}

// The conversation may be deleted concurrently.
async function change(conversation: string, update: Record<string, object>): Promise<void> {
  await presenceModel.collection.updateOne(
    { _id: conversation },
    { ...update, $inc: { revision: 1 } },
    // A crash may lose presences.
    { upsert: true, writeConcern: { w: 1, journal: false } },
  );
  const exists = await conversationModel.exists({ _id: conversation, ...NOT_DELETED });
  if (!exists) await removePresence(conversation);
}

export async function removePresence(conversation: string): Promise<void> {
  await presenceModel.deleteOne({ _id: conversation });
}
