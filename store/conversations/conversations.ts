import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { ConversationResult, ConversationState } from '../../domain/conversations/conversation.ts';

/**
 * A conversation's document. `_id` and all references are the 24-character ids themselves; times
 * are dates. Beside the fields of spec 5.1 it holds what its workflow needs to go on from here.
 */
export type ConversationDocument = Omit<
  ConversationState,
  'id' | 'createdAt' | 'updatedAt' | 'lastMessageAt'
> & {
  _id: string;
  createdAt: Date;
  updatedAt: Date;
  lastMessageAt: Date;
  results: ConversationResult[];
  /**
   * The last commit whole, as JSON, until the next one takes its place (docs/decisions/commit.md).
   */
  commit?: string;
  /**
   * The latest changes that were made on a condition, by their ids: a retry is recognised by its
   * own.
   */
  conditional?: string[];
  /** Only a tombstone is left. */
  deletedAt?: Date;
  /**
   * A tombstone's organization: it has no `organization`, so that what looks through those of one
   * never meets it.
   */
  formerOrganization?: string;
  /** All that belonged to it is gone too. */
  erasedAt?: Date;
};

const { Mixed } = mongoose.Schema.Types;

const conversationSchema = new mongoose.Schema<ConversationDocument>(
  {
    _id: String,
    slug: String,
    organization: String,
    contact: String,
    name: String,
    type: String,
    status: String,
    category: String,
    categoryIndex: Number,
    language: String,
    meta: Mixed,
    participants: [Mixed],
    channels: [String],
    channelsOffline: [String],
    touchpoints: Mixed,
    forms: [Mixed],
    results: [Mixed],
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
    lastMessageAt: Date,
    version: Number,
    sequence: Number,
    eventSequence: Number,
    pending: [Mixed],
    loops: Mixed,
    commit: String,
    conditional: { type: [String], default: undefined },
    deletedAt: Date,
    formerOrganization: String,
    erasedAt: Date,
  },
  { collection: 'conversations', versionKey: false, minimize: false, strict: true },
);

conversationSchema.index({ slug: 1 }, { unique: true });
conversationSchema.index({ organization: 1, status: 1, updatedAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, updatedAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, status: 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index({ 'participants.user': 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index(
  { contact: 1 },
  { unique: true, partialFilterExpression: { contact: { $exists: true } } },
);

export const conversationModel = defineModel<ConversationDocument>('Conversation', conversationSchema);
