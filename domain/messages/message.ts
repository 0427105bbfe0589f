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

/**
 * Types with role and contentType; other types ignore both fields (spec 6.1). Only these types
 * raise unread counts.
 */
export const SPOKEN_TYPES: readonly MessageType[] = ['chat', 'card', 'postback', 'mention'];

/** Types that may have items (spec 6.1). */
export const ITEM_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

export const ACTION_TYPES = ['link', 'postback', 'reply', 'webview', 'locationRequest'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** Types of forms (spec 5.5). */
export const FORM_TYPES = ['topic', 'static'] as const;
export type FormType = (typeof FORM_TYPES)[number];

/** Bound on the messages of a request, reply, payload or part of a business event (spec 6.3). */
export const MAX_MESSAGES = 100;
/**
 * Bound on the items of a message, the actions of a message or item, and the results of a message.
 */
export const MAX_ENTRIES = 100;
/** Bound on a message's text, in characters. */
export const MAX_TEXT = 32_000;

export type Meta = Record<string, unknown>;

/** An action button (spec 6.2). */
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

/** A list item of a message (spec 6.2). */
export interface MessageItem {
  title: string;
  description?: string;
  actions?: Action[];
  size?: 'compact' | 'large';
  mediaUrl?: string;
  mediaType?: string;
}

/** A form result in a message of type results (spec 6.1). */
export interface FormResult {
  form: string;
  formName?: string;
  type?: FormType;
  values?: Record<string, unknown>;
}

export interface UserFacts {
  user: string;
  organization: string;
  role: string;
}

/**
 * Facts that the API reads for a draft, because workflow code cannot read the store. Decisions use
 * the values at the time of the request. `collectLookups` returns what a message needs. Never
 * stored with the message.
 */
export interface MessageFacts {
  /**
   * Digest of type, text, items and actions, for the bot-loop rules. Only on messages that count.
   */
  fingerprint?: string;
  /** The user the message speaks for. */
  sender?: UserFacts;
  /** The organization's categories, for `/set category`, `/set categoryIndex` and forms. */
  categories?: { name: string; forms: string[] }[];
  /** The form that the message names, with the keys of its fields. */
  form?: { id: string; name: string; type: FormType; keys: string[] };
  /** The users that `/assign` names. */
  assignees?: UserFacts[];
  /** Channels for `/notify`, with and without an online member. */
  channels?: { online: string[]; offline: string[] };
  /** Normalized value of a contact field: telephone in E.164, email in lower case. */
  contactValue?: string;
}

/**
 * A message with all defaults and its ids (spec 2.1), as the API hands it to the conversation. It
 * has no sequence yet.
 */
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
  /** Milliseconds from `createdAt` until the message is due (spec 6.3). */
  delay?: number;
  items?: MessageItem[];
  actions?: Action[];
  results?: FormResult[];
  meta?: Meta;
  serviceType: string;
  externalId?: string;
  createdBy: string;
  /** Time of the request, ISO 8601 UTC. */
  createdAt: string;
  facts?: MessageFacts;
}

/** A stored message, processed or delayed. */
export type StoredMessage = MessageDraft & Partial<Pick<ProcessedMessage, 'sequence' | 'processedAt'>>;

/**
 * A message with its sequence: numbers are contiguous and unique in the conversation (spec 6.3).
 */
export interface ProcessedMessage extends Omit<MessageDraft, 'facts'> {
  sequence: number;
  processedAt: string;
}

/**
 * Returns type, text, items and actions as one text, to find identical bot messages (spec 6.10).
 * The order of keys does not matter. `facts.fingerprint` is a digest of it.
 */
export function fingerprintText({
  type,
  text,
  items,
  actions,
}: Pick<MessageDraft, 'type' | 'text' | 'items' | 'actions'>): string {
  return JSON.stringify(sortKeys([type, text, items ?? [], actions ?? []]));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
