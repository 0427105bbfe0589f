import type { LoopCounter } from './bot-loop.ts';
import type { FormType, Meta } from '../messages/message.ts';

export const CONVERSATION_TYPES = ['bot', 'contact', 'viewer', 'agent', 'admin', 'system'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];

export const CONVERSATION_STATUSES = ['queued', 'active', 'closed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** One participant (spec 5.2). Absent booleans are false. */
export interface Participant {
  user: string;
  unreadCount: number;
  active: boolean;
  inbox: boolean;
  accepted: boolean;
  /** The user's organization and role when they joined. */
  organization?: string;
  role?: string;
  follow?: boolean;
  status?: string;
}

/** What a participant begins with, where nobody says more (spec 5.2). */
export const FRESH_PARTICIPANT = {
  unreadCount: 0,
  active: false,
  inbox: false,
  accepted: false,
} as const satisfies Partial<Participant>;

/** An incomplete or unsent form (spec 5.5). */
export interface ConversationForm {
  form: string;
  name: string;
  type: FormType;
  category?: string;
  categoryIndex?: number;
  values: Record<string, unknown>;
}

/** A completed and sent form (spec 5.5). */
export interface ConversationResult {
  message: string;
  form: string;
  name: string;
  category?: string;
  categoryIndex?: number;
}

/** An activated touchpoint (spec 5.4). */
export interface Touchpoint {
  services: string[];
  selected: boolean;
}

/**
 * The fields of a conversation that its workflow owns and changes. All JSON-safe; times are ISO
 * 8601 UTC.
 */
export interface ConversationFields {
  name?: string;
  type: ConversationType;
  status: ConversationStatus;
  category?: string;
  categoryIndex?: number;
  language?: string;
  meta: Meta;
  participants: Participant[];
  channels: string[];
  channelsOffline: string[];
  touchpoints: Record<string, Touchpoint>;
  forms: ConversationForm[];
}

/**
 * A delayed message waiting for its time. Its content is in the store; only its place in the queue
 * is state.
 */
export interface PendingMessage {
  id: string;
  dueAt: string;
}

/**
 * All a conversation needs to decide what happens next. Bounded: what grows (texts, results,
 * history) lives in the store only. The store's document is the truth and `version` says which one
 * this was computed from.
 */
export interface ConversationState extends ConversationFields {
  id: string;
  slug: string;
  organization: string;
  contact?: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  /**
   * When the last message that people read (`SPOKEN_TYPES`) was processed; before the first one,
   * when the conversation was created.
   */
  lastMessageAt: string;
  /** Rises by one with each commit. 0: not stored yet. */
  version: number;
  /** The last message sequence given. */
  sequence: number;
  /** The last event sequence given: webhooks of one conversation arrive in this order (spec 7). */
  eventSequence: number;
  /** Delayed messages by due time, then id. */
  pending: PendingMessage[];
  /** Bot-loop counters by bot (spec 9). */
  loops: Record<string, LoopCounter>;
}

/** What a new conversation is made of. */
export type NewConversation = Pick<
  ConversationState,
  'id' | 'slug' | 'organization' | 'contact' | 'createdBy' | 'createdAt'
> &
  Partial<
    Pick<ConversationFields, 'name' | 'type' | 'status' | 'category' | 'categoryIndex' | 'language' | 'meta'>
  > & {
    /** The creator, who is the first participant (spec 6). */
    creator?: { user: string; organization: string; role: string };
  };

/** What a conversation is of that nobody says more of (spec 5.1). */
export const DEFAULTS = { type: 'bot', status: 'queued' } as const;

/**
 * The state of a conversation that is about to be created: defaults of spec 5.1, nothing numbered
 * yet.
 */
export function newConversation(seed: NewConversation): ConversationState {
  const { creator, ...given } = seed;
  return {
    ...DEFAULTS,
    meta: {},
    channels: [],
    channelsOffline: [],
    touchpoints: {},
    forms: [],
    ...given,
    participants: creator ? [{ ...creator, ...FRESH_PARTICIPANT }] : [],
    updatedAt: seed.createdAt,
    lastMessageAt: seed.createdAt,
    version: 0,
    sequence: 0,
    eventSequence: 0,
    pending: [],
    loops: {},
  };
}
