/** Message types (spec 6.1). */
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

/** Sender roles (spec 6.1). */
export const MESSAGE_ROLES = ['contact', 'agent', 'bot', 'system'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** Content types (spec 6.1). */
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
 * Types on which role and contentType exist; elsewhere they are ignored (spec 6.1). They are also
 * the types that raise unread counts.
 */
export const SPOKEN_TYPES: readonly MessageType[] = ['chat', 'card', 'postback', 'mention'];

/** Types that may carry items (spec 6.1). */
export const ITEM_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

export const ACTION_TYPES = ['link', 'postback', 'reply', 'webview', 'locationRequest'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** Types of forms (spec 5.5). */
export const FORM_TYPES = ['topic', 'static'] as const;
export type FormType = (typeof FORM_TYPES)[number];

/** The most messages of one request, reply, payload or part of a business event (spec 6.3). */
export const MAX_MESSAGES = 100;
/**
 * The most items of a message, actions of a message or item, and results of a message: each costs
 * everybody who handles the message.
 */
export const MAX_ENTRIES = 100;
/** The most characters of a message's text. */
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

/** A form result inside a message of type results (spec 6.1). */
export interface FormResult {
  form: string;
  formName?: string;
  type?: FormType;
  values?: Record<string, unknown>;
}

/** What a conversation has to know of a user. */
export interface UserFacts {
  user: string;
  organization: string;
  role: string;
}

/**
 * What the API looked up for one message before it handed it over, because the conversation itself
 * can ask nobody: the rules decide on these facts as they were when the request arrived.
 * `lookupsOf` (lookups.ts) says which a message needs. Never stored with the message.
 */
export interface MessageFacts {
  /**
   * Digest of type, text, items and actions, for the bot-loop rule; only for messages that count.
   */
  fingerprint?: string;
  /** The user the message speaks for. */
  sender?: UserFacts;
  /** The organization's categories, for `/set category`, `/set categoryIndex` and forms. */
  categories?: { name: string; forms: string[] }[];
  /** The form that the message names, with its keys. */
  form?: { id: string; name: string; type: FormType; keys: string[] };
  /** The users that `/assign` names. */
  assignees?: UserFacts[];
  /** Which channels `/notify` reaches: with a member online, and without. */
  channels?: { online: string[]; offline: string[] };
  /** A contact field's value in the form it is stored in (telephone E.164, email lower-cased). */
  contactValue?: string;
}

/**
 * A message as a caller wrote it, with every default filled in and its ids minted (spec 2.1): what
 * the API hands to the conversation. It has no place in the order yet.
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
  /** Milliseconds from `createdAt` until the message is processed (spec 6.3). */
  delay?: number;
  items?: MessageItem[];
  actions?: Action[];
  results?: FormResult[];
  meta?: Meta;
  serviceType: string;
  externalId?: string;
  createdBy: string;
  /** When the request was received, ISO 8601 UTC. */
  createdAt: string;
  facts?: MessageFacts;
}

/** A message as it is stored, processed or not yet. */
export type StoredMessage = MessageDraft & Partial<Pick<ProcessedMessage, 'sequence' | 'processedAt'>>;

/**
 * A message that has its place: numbered within its conversation without gaps or repeats (spec
 * 6.3).
 */
export interface ProcessedMessage extends Omit<MessageDraft, 'facts'> {
  sequence: number;
  processedAt: string;
}

/**
 * What makes two bot messages identical (spec 6.10): type, text, items and actions, as one text.
 * Equal content gives equal text whatever the order of its keys; the API hands on a digest of it as
 * `facts.fingerprint`.
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
