import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { conversationModel } from './conversations.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { messageModel } from './messages.ts';
import type { MessageType } from '../../domain/messages/message.ts';

/** Who is typing in a conversation right now (spec 5.14): its contact, a person or a bot. */
export type TypistRole = 'contact' | 'agent' | 'bot';

/**
 * What is going on in a conversation beside what is said: none of it is a message, and all of it
 * may be lost.
 */
export interface PresenceDocument {
  /** The conversation. */
  _id: string;
  /** Rises with every change. */
  revision: number;
  /** Up to this number the contact has read, and since when. */
  contactRead?: number;
  contactReadAt?: Date;
  /** By user, or `contact`. */
  typing?: Record<string, { role: TypistRole; until: Date }>;
}

const CONTACT = 'contact';
/** More is said as "at least so many". */
const MAX_COUNTED = 100;

const presenceSchema = new mongoose.Schema<PresenceDocument>(
  {
    _id: String,
    revision: Number,
    contactRead: Number,
    contactReadAt: Date,
    typing: mongoose.Schema.Types.Mixed,
  },
  { collection: 'presences', versionKey: false, minimize: false, strict: true },
);

export const presenceModel = defineModel<PresenceDocument>('Presence', presenceSchema);

/** Those of the conversations in which there is something, in no particular order. */
export async function findPresences(ids: string[]): Promise<PresenceDocument[]> {
  return presenceModel.find({ _id: { $in: ids } }).lean<PresenceDocument[]>();
}

/**
 * Notes that somebody is typing until a moment, or has stopped. Without `user` it is the contact.
 */
export async function noteTyping(
  conversation: string,
  { user = CONTACT, role, until }: { user?: string; role: TypistRole; until: Date | null },
): Promise<void> {
  const field = `typing.${user}`;
  await change(conversation, until ? { $set: { [field]: { role, until } } } : { $unset: { [field]: '' } });
}

/** Notes up to which number the contact has read; one that is lower than before changes nothing. */
export async function noteContactRead(conversation: string, sequence: number, at: Date): Promise<void> {
  const [known] = await findPresences([conversation]);
  if ((known?.contactRead ?? 0) >= sequence) return;
  await change(conversation, { $max: { contactRead: sequence }, $set: { contactReadAt: at } });
}

/** How many messages of others the contact has not read, at most a hundred. */
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

// Whoever notes something while the conversation is deleted takes it back: nothing is left of it.
async function change(conversation: string, update: Record<string, object>): Promise<void> {
  await presenceModel.collection.updateOne(
    { _id: conversation },
    { ...update, $inc: { revision: 1 } },
    // What is lost in a crash is worth nothing a moment later.
    { upsert: true, writeConcern: { w: 1, j: false } },
  );
  const exists = await conversationModel.exists({ _id: conversation, ...NOT_DELETED });
  if (!exists) await removePresence(conversation);
}

export async function removePresence(conversation: string): Promise<void> {
  await presenceModel.deleteOne({ _id: conversation });
}
