import type { CarrierFacts } from '../channels/channel-type.ts';
import type { MessageDelivery } from '../channels/receipt.ts';
import { canonicalJson } from '../json.ts';
import type { OptionalFields } from '../record-fields.ts';
import type { UserRole } from '../scope.ts';

export const MESSAGE_TYPES = [
  'chat',
  'card',
  'postback',
  'mention',
  'tag',
  'search',
  'command',
  'form',
  'field',
  'results',
  'report',
  'status',
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export const MESSAGE_ROLES = ['contact', 'agent', 'bot', 'system'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

export const CONTENT_TYPES = [
  'text/plain',
  'text/html',
  'text/url',
  'image/png',
  'image/gif',
  'image/jpg',
  'image/jpeg',
  'application/pdf',
] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Types that have role and contentType (spec 6.1) and raise unread counts. */
export const SPOKEN_TYPES: readonly MessageType[] = ['chat', 'card', 'postback', 'mention'];

export const ITEM_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

export const ACTION_TYPES = ['link', 'postback', 'reply', 'webview', 'locationRequest'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

export const FORM_TYPES = ['topic', 'static'] as const;
export type FormType = (typeof FORM_TYPES)[number];

/** Maximum messages per request, reply, payload or part of a result (spec 6.3). */
export const MAX_MESSAGES = 100;
/** Maximum items, actions or results of a message, and actions of an item. */
export const MAX_ENTRIES = 100;
export const MAX_TEXT = 32_000;

export type Meta = Record<string, unknown>;

/** A button (spec 6.2). */
export interface Action {
  type: ActionType;
  text: string;
  meta?: Meta;
  uri?: string;
  payload?: string;
  iconUrl?: string;
  fallback?: string;
  size?: 'compact' | 'tall' | 'full';
}

/** A list item (spec 6.2). */
export interface MessageItem {
  title: string;
  description?: string;
  actions?: Action[] | undefined;
  size?: 'compact' | 'large';
  mediaUrl?: string;
  mediaType?: string;
}

/** A result in a message of type results (spec 6.1). */
export interface FormResult {
  form: string;
  formName?: string;
  type?: FormType;
  values?: Record<string, unknown>;
}

/** The user whose request posts, edits or deletes a message. */
export interface Caller {
  user: string;
  role: UserRole;
  /** Only `message` counts for the bot-loop rules (spec 6.10). */
  origin: 'message' | 'upsert' | 'event' | 'timer';
  trace?: string;
}

export interface UserFacts {
  user: string;
  organization: string;
  role: string;
}

/** Facts read before the decision: workflow code cannot read the store. */
export interface MessageFacts {
  /** Digest of the content. Present only on messages that the bot-loop rules compare. */
  fingerprint?: string | undefined;
  sender?: UserFacts | undefined;
  categories?: { name: string; forms: string[] }[] | undefined;
  form?: { id: string; name: string; type: FormType; keys: string[] } | undefined;
  assignees?: UserFacts[] | undefined;
  /** Channels with and without an online member. */
  channels?: { online: string[]; offline: string[] } | undefined;
  /**
   * Value of the contact field that the message sets: telephone in E.164, email in lower case,
   * others as written.
   */
  contactValue?: string | undefined;
  /** The rating by the contact, or by a bot for the contact (spec 10.11). */
  rating?: number | undefined;
  /** Set only if the organization has channel services (spec 15.2). */
  carriers?: CarrierFacts | undefined;
}

/** A message with defaults and ids (spec 2.1), without a sequence. */
export interface MessageDraft {
  id: string;
  slug: string;
  text: string;
  type: MessageType;
  role?: MessageRole;
  contentType?: ContentType;
  isBackchannel: boolean;
  user?: string;
  service?: string;
  touchpoint: string;
  /** Milliseconds from `createdAt` until due (spec 6.4). */
  delay?: number;
  /** The time at which it is due, instead of `delay`. */
  sendAt?: string;
  items?: MessageItem[];
  actions?: Action[];
  results?: FormResult[];
  meta?: Meta;
  serviceType: string;
  externalId?: string;
  createdBy: string;
  createdAt: string;
  /** Set on a message that a channel service carries. */
  delivery?: MessageDelivery;
  facts?: MessageFacts;
}

export type StoredMessage = MessageDraft & OptionalFields<Pick<ProcessedMessage, 'sequence' | 'processedAt'>>;

export interface ProcessedMessage extends Omit<MessageDraft, 'facts'> {
  sequence: number;
  processedAt: string;
}

/** Returns equal texts for identical messages (spec 6.10). */
export function fingerprintText({
  type,
  text,
  items = [],
  actions = [],
}: Pick<MessageDraft, 'type' | 'text' | 'items' | 'actions'>): string {
  return canonicalJson([type, text, items, actions]);
}

/** The spoken messages that remain when one is removed. */
export interface Remaining {
  later: number;
  lastMessageAt?: string;
}
