import type { LoopCounter } from './bot-loop.ts';
import type { FormType, Meta } from '../messages/message.ts';

export const CONVERSATION_TYPES = ['bot', 'contact', 'viewer', 'agent', 'admin', 'system'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];

export const CONVERSATION_STATUSES = ['queued', 'active', 'closed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** A participant (spec 5.2). Absent booleans are false. */
export interface Participant {
  user: string;
  unreadCount: number;
  active: boolean;
  inbox: boolean;
  accepted: boolean;
  organization?: string;
  role?: string;
  follow?: boolean;
  status?: string;
}

export const FRESH_PARTICIPANT = {
  unreadCount: 0,
  active: false,
  inbox: false,
  accepted: false,
} as const satisfies Partial<Participant>;

export function holdsConversation({ accepted, active, inbox }: Participant): boolean {
  return accepted || active || inbox;
}

/** Returns whether the conversation is in the inbox of a user while a colleague has accepted it. */
export function isInboxToRead(
  { participants }: Pick<ConversationFields, 'participants'>,
  user: string,
): boolean {
  const isTaken = participants.some((one) => one.accepted && one.user !== user);
  return isTaken && participants.some((one) => one.user === user && one.inbox && !one.accepted);
}

export const MAX_PARTICIPANTS = 100;

/** An open form (spec 5.5). */
export interface ConversationForm {
  form: string;
  name: string;
  type: FormType;
  category?: string;
  categoryIndex?: number;
  values: Record<string, unknown>;
}

/** A completed form (spec 5.5). */
export interface ConversationResult {
  message: string;
  form: string;
  name: string;
  category?: string;
  categoryIndex?: number;
}

export const MAX_RESULTS = 1000;

/** An activated touchpoint (spec 5.4). */
export interface Touchpoint {
  services: string[];
  selected: boolean;
}

/** Fields that a PATCH replaces (spec 5.9). Times are ISO 8601 UTC. */
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

/** When the states of a conversation began, as ISO 8601 UTC. An absent state does not hold. */
export interface Timing {
  queued?: string;
  waiting?: string;
  quiet?: string;
  accepted?: string;
  /** The first reply that the contact may not have read. */
  unread?: string;
  /** The agent who accepted the conversation and has not replied. */
  acceptedBy?: string;
  /** The beginning of the state for which a timer fired last, by the name of the timer. */
  fired?: Record<string, string>;
  /** Number of firings on a day in UTC. */
  firings?: { day: string; count: number };
}

export function startTiming({ status, createdAt }: Pick<ConversationState, 'status' | 'createdAt'>): Timing {
  if (status === 'closed') return {};
  return { ...(status === 'queued' ? { queued: createdAt } : {}), quiet: createdAt };
}

/** Fields that are set once and never changed (spec 5.15). */
export const FIRST_TIMES = ['firstContactAt', 'firstReplyAt', 'acceptedAt', 'closedAt'] as const;
export type FirstTimes<Time = string> = Partial<Record<(typeof FIRST_TIMES)[number], Time>>;

export interface PendingMessage {
  id: string;
  dueAt: string;
}

/** The fields that decisions read. Texts, results and history are only in the store. */
export interface ConversationState extends ConversationFields, FirstTimes {
  id: string;
  slug: string;
  organization: string;
  contact?: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  /** Processing time of the last message of `SPOKEN_TYPES`, at first `createdAt`. */
  lastMessageAt: string;
  /** Incremented by each commit. 0: not stored. */
  version: number;
  sequence: number;
  /** Sequence of the last event (spec 7). */
  eventSequence: number;
  /** Sorted by due time. */
  pending: PendingMessage[];
  loops: Record<string, LoopCounter>;
  /** Until when the conversation is out of the queue (spec 14.5), and the user who wanted it. */
  snoozedUntil?: string;
  snoozedBy?: string;
  /** The channel to which the conversation is assigned (spec 5.18). */
  team?: string;
  /** Absent without labels (spec 5.17). */
  labels?: string[];
  /** The contact's last rating (spec 10.11). */
  rating?: number;
  /** Absent in a conversation that an older version stored. */
  timing?: Timing;
}

export type NewConversation = Pick<
  ConversationState,
  'id' | 'slug' | 'organization' | 'contact' | 'createdBy' | 'createdAt'
> &
  Partial<
    Pick<ConversationFields, 'name' | 'type' | 'status' | 'category' | 'categoryIndex' | 'language' | 'meta'>
  > & {
    /** The first participant (spec 6). */
    creator?: { user: string; organization: string; role: string };
  };

export const DEFAULTS = { type: 'bot', status: 'queued' } as const;

/** Returns the state before the first commit (spec 5.1). */
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
    timing: startTiming({ ...DEFAULTS, ...given }),
  };
}
