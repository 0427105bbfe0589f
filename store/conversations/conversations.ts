import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { FIRST_TIMES } from '../../domain/conversations/conversation.ts';
import type { ConversationResult, ConversationState } from '../../domain/conversations/conversation.ts';
import type { LastMessage } from '../../domain/conversations/last-message.ts';

const TIME_FIELDS = ['createdAt', 'updatedAt', 'lastMessageAt', ...FIRST_TIMES] as const;
type TimeField = (typeof TIME_FIELDS)[number];

/** The fields of spec 5.1 and the state that the workflow resumes from. */
export type ConversationDocument = Omit<ConversationState, 'id' | TimeField> & {
  [Field in keyof Pick<ConversationState, TimeField>]: Date;
} & {
  _id: string;
  results: ConversationResult[];
  /** `version`: that of the commit which wrote it. */
  lastMessage?: LastMessage & { version: number };
  waitingSince?: Date;
  /** JSON of the last commit (docs/decisions/commit.md). */
  commit?: string;
  /** Ids of the latest conditional changes. */
  conditional?: string[];
  deletedAt?: Date;
  /** When a timer is due or a snooze ends, for the sweep of conversations that did not wake. */
  wakeAt?: Date;
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
    lastMessage: Mixed,
    waitingSince: Date,
    firstContactAt: Date,
    firstReplyAt: Date,
    acceptedAt: Date,
    closedAt: Date,
    version: Number,
    sequence: Number,
    eventSequence: Number,
    pending: [Mixed],
    loops: Mixed,
    timing: Mixed,
    snoozedUntil: String,
    snoozedBy: String,
    team: String,
    labels: { type: [String], default: undefined },
    rating: Number,
    wakeAt: Date,
    commit: String,
    conditional: { type: [String], default: undefined },
    deletedAt: Date,
    formerOrganization: String,
    erasedAt: Date,
  },
  { collection: 'conversations', versionKey: false, minimize: false, strict: true },
);

conversationSchema.index({ slug: 1 }, { unique: true });
// Before the indexes by organization: of two equal plans, the built-in store takes the first.
conversationSchema.index({ 'participants.user': 1, status: 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index({ 'participants.user': 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, status: 1, updatedAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, updatedAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, status: 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, lastMessageAt: -1, _id: 1 });
conversationSchema.index({ organization: 1, status: 1, waitingSince: 1, _id: 1 });
conversationSchema.index({ organization: 1, createdAt: 1 });
conversationSchema.index(
  { organization: 1, team: 1, status: 1, waitingSince: 1, _id: 1 },
  { partialFilterExpression: { team: { $exists: true } } },
);
conversationSchema.index({ wakeAt: 1, _id: 1 }, { partialFilterExpression: { wakeAt: { $exists: true } } });
// Not unique: a contact gets further conversations by merges (spec 4.7).
conversationSchema.index({ contact: 1 }, { partialFilterExpression: { contact: { $exists: true } } });

export const conversationModel = defineModel<ConversationDocument>('Conversation', conversationSchema);

/** Returns a document with its times as ISO 8601. */
export function formatTimes<T extends Pick<ConversationDocument, TimeField>>(
  document: T,
): Omit<T, TimeField> & Pick<ConversationState, TimeField> {
  const times = TIME_FIELDS.flatMap((field) => {
    const time = document[field];
    return time ? [[field, time.toISOString()] as const] : [];
  });
  return { ...document, ...(Object.fromEntries(times) as Pick<ConversationState, TimeField>) };
}

/** Returns the times that `base` lacks or has with another value. */
export function changedTimes(
  next: Pick<ConversationState, TimeField>,
  base?: Pick<ConversationState, TimeField>,
): Partial<Pick<ConversationDocument, TimeField>> {
  const times = TIME_FIELDS.flatMap((field) => {
    const time = next[field];
    return time && time !== base?.[field] ? [[field, new Date(time)] as const] : [];
  });
  return Object.fromEntries(times);
}
