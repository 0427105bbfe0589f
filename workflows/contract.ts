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
 * Names and argument types that cross the wall between the API, the workflows and the activities.
 * No code of any of them.
 */

export const TASK_QUEUE = 'parlance';

/**
 * How long a workflow task may take before another worker gets it: what a killed worker costs
 * (design: recovery).
 */
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

/** Of a bulk retry: an organization has some at once, which are numbered. */
export function retryEventsWorkflowId(organization: string, number: number): string {
  return `retry-events:${organization}:${String(number)}`;
}

export function deliveryWorkflowId(shard: number): string {
  return `delivery:${String(shard)}`;
}

/**
 * Search attributes that operators see and filter by (spec 11.2). Every worker registers them at
 * start; those that a namespace does not have are left out.
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
 * What operators are shown beside the state (spec 11.2): looked up where the store is asked anyway.
 */
export interface OperatorFacts {
  /** Names by id; '' for what has none. */
  names: Record<string, string>;
  /** Ids from the root to the organization of the conversation. */
  path: string[];
  /** The search attributes that the namespace has. */
  attributes: SearchAttribute[];
}

/**
 * Update `post` of the conversation workflow: several independent posts at once, each admitted or
 * refused as a whole.
 */
export const POST_UPDATE = 'post';
/** Update `amend`: a change other than by a message. */
export const AMEND_UPDATE = 'amend';
/** Update `edit`: another content for a stored message. */
export const EDIT_UPDATE = 'edit';
/** Update `remove`: delete a message, processed or not. */
export const REMOVE_UPDATE = 'remove';
/**
 * Update `erased` of the erasure workflow: answers when all of the conversation is gone, and
 * whether there was one.
 */
export const ERASED_UPDATE = 'erased';
/**
 * Type of the failure of an update that a run did not take because it is about to continue as new:
 * send it again, with the same id.
 */
export const CONTINUING_FAILURE = 'Continuing';
/** Query of the delivery workflow that any living worker answers: proof for /readyz. */
export const PING_QUERY = 'ping';

/** Argument of the update `post`; answered by one PostResult each, in order. */
export interface PostBatch {
  posts: Post[];
}

export interface AmendInput {
  id: string;
  by: string;
  effects: Effect[];
  /** Only while the conversation is in this version (spec 2, `If-Match`). */
  ifVersion?: number;
}

export interface EditInput {
  /** Of the edit itself, minted by the API. */
  id: string;
  message: string;
  caller: Caller;
  edit: MessageEdit;
  /** What the rules ask about a message that still waits. */
  facts?: MessageFacts;
  /** Only while the message stands like this (spec 2, `If-Match`). */
  ifStand?: MessageVersion;
}

export interface RemoveInput {
  /** Of the removal itself, minted by the API. */
  id: string;
  message: string;
  caller: Caller;
  /** Only while the message stands like this (spec 2, `If-Match`). */
  ifStand?: MessageVersion;
}

/** What the erasure workflow starts with. */
export interface ErasureInput {
  /** Of the erasure itself, minted by the API. */
  id: string;
  conversation: string;
  caller: Caller;
  /** Only while the conversation is in this version (spec 2, `If-Match`). */
  ifVersion?: number;
}

/**
 * What became of a conversation that was to be erased: `changed` where it is in another version
 * than was asked for, and stays.
 */
export type ErasureResult = boolean | 'changed';

/**
 * `done: false`: there was nothing to do, the message is processed already or unknown; with
 * `changed` nothing was done because the record is not as was asked for any more.
 */
export interface ChangeResult {
  done: boolean;
  refused?: Refusal;
  changed?: true;
}

/**
 * What a run of the conversation workflow starts with. All but the id is carried by continue-as-new
 * only.
 */
export interface ConversationInput {
  id: string;
  carried?: { state: ConversationState; recent: RecentMessage[]; facts?: OperatorFacts };
  /** Continue as new after this many updates; tests force it early. */
  updatesPerRun?: number;
}

/**
 * Activity `persist`: one commit (spec 1.2). `base.version` is the version that the changes were
 * decided on; 0 creates the document.
 */
export interface PersistInput {
  base: ConversationState;
  changes: Change[];
  /**
   * The id of a change that was made on a condition: the store keeps it, so that a retry is not
   * held against its own doing.
   */
  conditional?: string;
  /** What operators are to be shown of the conversation that is not known yet. */
  naming?: LabelIds;
}

/** The ids whose names are wanted; the organization's place comes with them. */
export type LabelIds = string[];

/**
 * `stored`: the commit is in the store, with its messages, events and deliveries. `stale`: the
 * store knows something that the workflow forgot; adopt it and decide again. `facts`: present when
 * the input has `naming`.
 */
export type PersistResult =
  { outcome: 'stored'; facts?: OperatorFacts } | ({ outcome: 'stale' } & LoadResult);

/**
 * Activity `load`: what the store knows of a conversation. `recent` are its latest messages and
 * those that `ids` or `externalIds` name.
 */
export interface LoadInput {
  id: string;
  ids?: string[];
  externalIds?: string[];
  /** Whether what operators are shown is wanted, too. */
  naming?: true;
}

export type LoadResult =
  | {
      state: ConversationState;
      recent: RecentMessage[];
      /** The latest changes that were made on a condition. */
      conditional: string[];
      facts?: OperatorFacts;
    }
  | { state: null; deleted: boolean };

/**
 * Activity `loadDelayed`: the content of delayed messages whose time has come, in the order asked
 * for. Deleted ones are missing; `looked` tells how many of the ids were looked for, as many as fit
 * into one answer.
 */
export interface LoadDelayedResult {
  found: DelayedMessage[];
  looked: number;
}

export type DelayedMessage = CachedMessage;

/** Activity `loadMessage`: a message of a conversation as it is stored. */
export interface LoadMessageInput {
  conversation: string;
  message: string;
}

/**
 * Activity `claimContact`: answers which conversation the contact has then; null where there is no
 * such contact.
 */
export interface ClaimContactInput {
  contact: string;
  conversation: string;
}

/** `caller`: who posted it, where it still waits. */
export interface LoadedMessage {
  message: StoredMessage;
  caller?: Caller;
  /** The version in which it was last edited, if it was. */
  editedIn?: number;
}

/** Signal of the delivery workflow: how its shard stands (a DrainReport). */
export const DRAIN_REPORT_SIGNAL = 'report';

/** What a delivery workflow starts with, and what its activity drains. */
export interface DrainInput {
  shard: number;
}

/** What the workflow of a business event starts with. The rest is in the store. */
export interface InboundEventInput {
  /** The event's id. */
  id: string;
}

/** What the workflow that runs events again starts with, and one step of it. */
export interface RetryBatch {
  selection: EventSelection;
  /** How far it has come. */
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
