import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Caller, MessageDraft } from '../../domain/messages/message.ts';

/** A delayed message has no `sequence` (spec 6.1). */
export type MessageDocument = Omit<MessageDraft, 'id' | 'createdAt' | 'facts'> & {
  _id: string;
  conversation: string;
  organization: string;
  contact?: string;
  conversationSlug: string;
  createdAt: Date;
  updatedAt: Date;
  sequence?: number;
  processedAt?: Date;
  dueAt?: Date;
  delayed?: { caller: Caller; facts?: MessageDraft['facts'] };
  /** Version of the conversation that last edited or deleted the message. */
  editedIn?: number;
  /** Set on a tombstone. */
  deletedAt?: Date;
  /** Time by the store's clock at which the last receipt was stored. */
  receiptAt?: Date;
  /** The provider's ids of all parts and sendings. A tombstone keeps them (spec 15.9). */
  sentIds?: string[];
  /** Words by which the message is found (spec 6.12). */
  words?: string[];
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
    sendAt: String,
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
    delivery: Mixed,
    receiptAt: Date,
    sentIds: { type: [String], default: undefined },
    words: { type: [String], default: undefined },
  },
  { collection: 'messages', versionKey: false, minimize: false, strict: true },
);

// No sequence is assigned twice (spec 6).
messageSchema.index(
  { conversation: 1, sequence: 1 },
  { unique: true, partialFilterExpression: { sequence: { $exists: true } } },
);
messageSchema.index(
  { conversation: 1, externalId: 1 },
  { unique: true, partialFilterExpression: { externalId: { $exists: true } } },
);
// For streams.
messageSchema.index(
  { conversation: 1, editedIn: 1 },
  { partialFilterExpression: { editedIn: { $exists: true } } },
);
// For delayed messages and tombstones of one conversation.
messageSchema.index({ conversation: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
messageSchema.index(
  { conversation: 1, deletedAt: 1 },
  { partialFilterExpression: { deletedAt: { $exists: true } } },
);
// For receipts in streams.
messageSchema.index(
  { conversation: 1, receiptAt: 1 },
  { partialFilterExpression: { receiptAt: { $exists: true } } },
);
// For the sweep of overdue messages.
messageSchema.index({ dueAt: 1, _id: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
messageSchema.index({ organization: 1, createdAt: 1, _id: 1 });
messageSchema.index({ organization: 1, words: 1 });

/** Every undeleted message meets one of these two conditions. Each condition has an index. */
export const PROCESSED_OR_DELAYED = [{ sequence: { $exists: true } }, { dueAt: { $exists: true } }];

export const messageModel = defineModel<MessageDocument>('Message', messageSchema);
