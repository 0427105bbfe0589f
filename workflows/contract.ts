import type { Change, Effect } from '../domain/conversations/change.ts';
import type { Caller } from '../domain/conversations/caller.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import type { CachedMessage } from '../domain/conversations/cached-messages.ts';
import type { DrainReport } from '../domain/delivery/drain-report.ts';
import type { Profile } from '../domain/effects/contact-effects.ts';
import type { EventPosition, EventSelection } from '../domain/events/business-event.ts';
import type { MessageEdit, MessageVersion } from '../domain/messages/edit.ts';
import type { MessageFacts, StoredMessage } from '../domain/messages/message.ts';
import type { Post, RecentMessage, Refusal } from '../domain/messages/post.ts';

/**
 * Names and types shared by the API, the workflows and the activities. Contains no code of theirs.
 */

export const TASK_QUEUE = 'parlance';

/** After this time another worker gets the task of a crashed one (docs/decisions/commit.md). */
export const WORKFLOW_TASK_TIMEOUT = '5s';

export const CONVERSATION_WORKFLOW = 'conversation';
export const DELIVERY_WORKFLOW = 'delivery';
export const ERASURE_WORKFLOW = 'erasure';
export const INBOUND_EVENT_WORKFLOW = 'inboundEvent';
export const RETRY_EVENTS_WORKFLOW = 'retryEvents';

export function conversationWorkflowId(conversation: string): string {
  return `conversation:${conversation}`;
}

export function erasureWorkflowId(conversation: string): string {
  return `erasure:${conversation}`;
}

export function inboundEventWorkflowId(event: string): string {
  return `event:${event}`;
}

export function retryEventsWorkflowId(organization: string, number: number): string {
  return `retry-events:${organization}:${String(number)}`;
}

export function deliveryWorkflowId(shard: number): string {
  return `delivery:${String(shard)}`;
}

/**
 * Search attributes for operators (spec 11.2). Attributes missing in the namespace are left out.
 */
export const SEARCH_ATTRIBUTES = {
  status: 'ConversationStatus',
  organization: 'Organization',
  organizationPath: 'OrganizationPath',
  contact: 'Contact',
  category: 'Category',
  touchpoint: 'Touchpoint',
  blocked: 'Blocked',
  pendingDelays: 'PendingDelays',
  failing: 'Failing',
} as const;

export type SearchAttribute = keyof typeof SEARCH_ATTRIBUTES;

/**
 * Names, tenant path and available search attributes that operators see in Temporal. They are not
 * part of the conversation's state (spec 11.2).
 */
export interface OperatorFacts {
  /** '' for an id without a name. */
  names: Record<string, string>;
  /** Tenant path. */
  path: string[];
  attributes: SearchAttribute[];
}

/** Several independent posts, each accepted or refused as a whole. */
export const POST_UPDATE = 'post';
/** A change other than by a message. */
export const AMEND_UPDATE = 'amend';
export const EDIT_UPDATE = 'edit';
/** Deletes a message, processed or not. */
export const REMOVE_UPDATE = 'remove';
/** Update of the erasure workflow: returns when the conversation's records are removed. */
export const ERASED_UPDATE = 'erased';
/**
 * Failure of an update that a run rejects because it is about to continue as new. Retry with the
 * same id.
 */
export const CONTINUING_FAILURE = 'Continuing';
/** Query of the delivery workflow, for /readyz. */
export const PING_QUERY = 'ping';

/** The result has one PostResult per post, in order. */
export interface PostBatch {
  posts: Post[];
}

export interface AmendInput {
  id: string;
  by: string;
  effects: Effect[];
  /** Required version (spec 2, `If-Match`). */
  ifVersion?: number;
}

export interface EditInput {
  /** Id of the edit, created by the API. */
  id: string;
  message: string;
  caller: Caller;
  edit: MessageEdit;
  /** Only for a delayed message. */
  facts?: MessageFacts;
  /** Required version (spec 2, `If-Match`). */
  ifStand?: MessageVersion;
}

export interface RemoveInput {
  /** Id of the removal, created by the API. */
  id: string;
  message: string;
  caller: Caller;
  /** Required version (spec 2, `If-Match`). */
  ifStand?: MessageVersion;
}

export interface ErasureInput {
  /** Id of the erasure, created by the API. */
  id: string;
  conversation: string;
  caller: Caller;
  /** Required version (spec 2, `If-Match`). */
  ifVersion?: number;
}

/**
 * Whether the conversation existed. `changed`: its version differs from `ifVersion`, and it stays.
 */
export type ErasureResult = boolean | 'changed';

/**
 * `done: false`: the message is processed or unknown. `changed`: the record differs from the
 * required version.
 */
export interface ChangeResult {
  done: boolean;
  refused?: Refusal;
  changed?: true;
}

/** Only continue-as-new sets more than the id. */
export interface ConversationInput {
  id: string;
  carried?: { state: ConversationState; recent: RecentMessage[]; facts?: OperatorFacts };
  /** For tests. */
  updatesPerRun?: number;
}

/**
 * One commit (spec 1.2). `base.version` is the version that the changes were decided on; 0 creates
 * the document.
 */
export interface PersistInput {
  base: ConversationState;
  changes: Change[];
  /** Stored, so that a retry recognises its own change. */
  conditional?: string;
  /** Labels to load. */
  naming?: LabelIds;
}

/** Ids whose names to load. The tenant path is loaded too. */
export type LabelIds = string[];

/**
 * `stored`: the commit and its rows are written. `stale`: the store is ahead; adopt its state and
 * decide again. `facts`: set if the input has `naming`.
 */
export type PersistResult =
  { outcome: 'stored'; facts?: OperatorFacts } | ({ outcome: 'stale' } & LoadResult);

/** `recent` includes the latest messages and those named by `ids` or `externalIds`. */
export interface LoadInput {
  id: string;
  ids?: string[];
  externalIds?: string[];
  naming?: true;
}

export type LoadResult =
  | {
      state: ConversationState;
      recent: RecentMessage[];
      /** Ids of the latest conditional changes. */
      conditional: string[];
      facts?: OperatorFacts;
    }
  | { state: null; deleted: boolean };

/**
 * Deleted messages are left out. `looked` is the number of ids processed, as many as fit into one
 * result.
 */
export interface LoadDelayedResult {
  found: DelayedMessage[];
  looked: number;
}

export type DelayedMessage = CachedMessage;

export interface LoadMessageInput {
  conversation: string;
  message: string;
}

/** The result is the contact's conversation, or null without a contact. */
export interface ClaimContactInput {
  contact: string;
  conversation: string;
}

/** `caller` is only set while the message is delayed. */
export interface LoadedMessage {
  message: StoredMessage;
  caller?: Caller;
  /** Version of the conversation that last edited the message. */
  editedIn?: number;
}

/** Signal with a DrainReport. */
export const DRAIN_REPORT_SIGNAL = 'report';

export interface DrainInput {
  shard: number;
}

export interface InboundEventInput {
  id: string;
}

export interface RetryBatch {
  selection: EventSelection;
  after?: EventPosition;
}

/** The activities of a worker by the names that Temporal knows. */
export interface Activities {
  load: (input: LoadInput) => Promise<LoadResult>;
  persist: (input: PersistInput) => Promise<PersistResult>;
  loadDelayed: (ids: string[]) => Promise<LoadDelayedResult>;
  loadProfile: (contact: string) => Promise<Profile>;
  loadMessage: (input: LoadMessageInput) => Promise<LoadedMessage | null>;
  claimContact: (input: ClaimContactInput) => Promise<string | null>;
  drainDeliveries: (input: DrainInput) => Promise<DrainReport>;
  buryConversation: (input: ErasureInput) => Promise<ErasureResult>;
  eraseConversation: (conversation: string) => Promise<void>;
  finishErasure: (conversation: string) => Promise<void>;
  /** Returns the cost in milliseconds of CPU and lookups. */
  transformEvent: (input: InboundEventInput) => Promise<number>;
  postEvent: (input: InboundEventInput) => Promise<number>;
  /** Returns the position for the next call; null at the end. */
  retryNextEvents: (input: RetryBatch) => Promise<EventPosition | null>;
}
