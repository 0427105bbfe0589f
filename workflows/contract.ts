import type { Change, Effect } from '../domain/conversations/change.ts';
import type { Caller } from '../domain/conversations/caller.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import type { CachedMessage } from '../domain/conversations/cached-messages.ts';
import type { DrainReport } from '../domain/delivery/drain-report.ts';
import type { Profile } from '../domain/effects/contact-effects.ts';
import type { EventPosition, EventSelection } from '../domain/events/business-event.ts';
import type { LoadedMessage, MessageEdit, MessageVersion } from '../domain/messages/edit.ts';
import type { MessageFacts } from '../domain/messages/message.ts';
import type { Post, RecentMessage, Refusal } from '../domain/messages/post.ts';

/** Names and types shared by the API, the workflows and the activities. */

export const TASK_QUEUE = 'parlance';

/** After this time another worker gets the task of a crashed worker (docs/decisions/commit.md). */
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

/** Search attributes for operators (spec 11.2). The namespace may lack some of them. */
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

/** What operators see of a conversation in Temporal besides its state (spec 11.2). */
export interface OperatorFacts {
  /** By id. '' for an id without a name. */
  names: Record<string, string>;
  /** Tenant path. */
  path: string[];
  /** Search attributes of the namespace. */
  attributes: SearchAttribute[];
}

export const POST_UPDATE = 'post';
/** Changes a conversation without a message. */
export const AMEND_UPDATE = 'amend';
export const EDIT_UPDATE = 'edit';
/** Deletes a message, processed or not. */
export const REMOVE_UPDATE = 'remove';
/** Returns when the erasure workflow has removed the conversation's records. */
export const ERASED_UPDATE = 'erased';
/** Failure of an update of a run that is about to continue as new. Retry with the same id. */
export const CONTINUING_FAILURE = 'Continuing';
/** Query of the delivery workflow, for /readyz. */
export const PING_QUERY = 'ping';

/** Independent posts. The result has one PostResult per post, in order. */
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

export interface RemoveInput {
  /** Id of the request, created by the API. */
  id: string;
  message: string;
  caller: Caller;
  /** Required version (spec 2, `If-Match`). */
  ifStand?: MessageVersion;
}

export interface EditInput extends RemoveInput {
  edit: MessageEdit;
  /** Only for a delayed message. */
  facts?: MessageFacts;
}

export interface ErasureInput {
  /** Id of the request, created by the API. */
  id: string;
  conversation: string;
  caller: Caller;
  /** Required version (spec 2, `If-Match`). */
  ifVersion?: number;
}

/** Whether the conversation existed. `changed`: it stays, its version is not `ifVersion`. */
export type ErasureResult = boolean | 'changed';

/** `done: false`: nothing was changed. `changed`: the record is not the required version. */
export interface ChangeResult {
  done: boolean;
  refused?: Refusal;
  changed?: true;
}

export interface ConversationInput {
  id: string;
  /** Set by continue-as-new. */
  carried?: { state: ConversationState; recent: RecentMessage[]; facts?: OperatorFacts };
  /** For tests. */
  updatesPerRun?: number;
}

/** One commit (spec 1.2). A `base.version` of 0 creates the document. */
export interface PersistInput {
  /** The state that the changes were decided on. */
  base: ConversationState;
  changes: Change[];
  /** Id of a conditional change. Stored, so that a retry recognises its own change. */
  conditional?: string;
  /** Ids whose names to load, with the tenant path. */
  naming?: string[];
}

/**
 * `stored`: the commit and its rows are written; has `facts` if the input has `naming`. `stale`: the
 * store is ahead; adopt its state and decide again.
 */
export type PersistResult =
  { outcome: 'stored'; facts?: OperatorFacts } | ({ outcome: 'stale' } & LoadResult);

export interface LoadInput {
  id: string;
  /** Whether to load `facts` too. */
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

export interface LoadDelayedResult {
  /** Without deleted messages. */
  found: CachedMessage[];
  /** How many of the ids were loaded: as many as fit into one result. */
  looked: number;
}

export interface LoadMessageInput {
  conversation: string;
  message: string;
}

export interface ClaimContactInput {
  contact: string;
  conversation: string;
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

/** The activities of a worker, by their names in Temporal. */
export interface Activities {
  load: (input: LoadInput) => Promise<LoadResult>;
  persist: (input: PersistInput) => Promise<PersistResult>;
  loadDelayed: (ids: string[]) => Promise<LoadDelayedResult>;
  loadProfile: (contact: string) => Promise<Profile>;
  loadMessage: (input: LoadMessageInput) => Promise<LoadedMessage | null>;
  /** Returns the contact's conversation, or null without a contact. */
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
