import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Caller } from '../../domain/conversations/caller.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';

/** A message's document (spec 6.1). Without `sequence` and `processedAt` it waits for its time. */
export type MessageDocument = Omit<MessageDraft, 'id' | 'createdAt' | 'facts'> & {
  _id: string;
  conversation: string;
  organization: string;
  contact?: string;
  /** For the message's url. */
  conversationSlug: string;
  createdAt: Date;
  updatedAt: Date;
  sequence?: number;
  processedAt?: Date;
  /** While it waits: when it is due, and what its processing needs to know. */
  dueAt?: Date;
  delayed?: { caller: Caller; facts?: MessageDraft['facts'] };
  /** The version of the conversation in which it was last edited or deleted, if it was. */
  editedIn?: number;
  /** Only a tombstone is left, so that nothing writes the message again. */
  deletedAt?: Date;
};

const { Mixed } = mongoose.Schema.Types;

const messageSchema = new mongoose.Schema<MessageDocument>(
  {
    _id: String,
    conversation: String,
    organization: String,
    contact: String,
    conversationSlug: String,
    slug: String,
    text: String,
    type: String,
    role: String,
    contentType: String,
    isBackchannel: Boolean,
    user: String,
    service: String,
    touchpoint: String,
    delay: Number,
    items: { type: [Mixed], default: undefined },
    actions: { type: [Mixed], default: undefined },
    results: { type: [Mixed], default: undefined },
    meta: Mixed,
    serviceType: String,
    externalId: String,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
    sequence: Number,
    processedAt: Date,
    dueAt: Date,
    delayed: Mixed,
    editedIn: Number,
    deletedAt: Date,
  },
  { collection: 'messages', versionKey: false, minimize: false, strict: true },
);

// Guards the promise that no number is given twice (spec 6).
messageSchema.index(
  { conversation: 1, sequence: 1 },
  { unique: true, partialFilterExpression: { sequence: { $exists: true } } },
);
messageSchema.index(
  { conversation: 1, externalId: 1 },
  { unique: true, partialFilterExpression: { externalId: { $exists: true } } },
);
// What streams tell of messages that changed after they were told.
messageSchema.index(
  { conversation: 1, editedIn: 1 },
  { partialFilterExpression: { editedIn: { $exists: true } } },
);
// A conversation's messages that wait, and what is left of those that are deleted: each begins with
// the conversation.
messageSchema.index({ conversation: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
messageSchema.index(
  { conversation: 1, deletedAt: 1 },
  { partialFilterExpression: { deletedAt: { $exists: true } } },
);
// Messages that wait, for the look after those that wait too long.
messageSchema.index({ dueAt: 1, _id: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
messageSchema.index({ organization: 1, createdAt: 1, _id: 1 });

export const messageModel = defineModel<MessageDocument>('Message', messageSchema);
