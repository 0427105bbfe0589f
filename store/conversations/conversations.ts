import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { ConversationResult, ConversationState } from '../../domain/conversations/conversation.ts';

/** The fields of spec 5.1 and the state that the workflow resumes from. */
export type ConversationDocument = Omit<
  ConversationState,
  'id' | 'createdAt' | 'updatedAt' | 'lastMessageAt'
> & {
  _id: string;
  createdAt: Date;
  updatedAt: Date;
  lastMessageAt: Date;
  results: ConversationResult[];
  /** JSON of the last commit (docs/decisions/commit.md). */
  commit?: string;
  /** Ids of the latest conditional changes. */
  conditional?: string[];
  deletedAt?: Date;
  /** Set on a tombstone instead of `organization`. */
  formerOrganization?: string;
  /** Set when the conversation's records are removed too. */
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
