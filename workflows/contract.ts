import type { AccountMailKind, AccountMailResult } from '../domain/account-mail.ts';
import type { Change, Effect } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import type { CachedMessage } from '../domain/conversations/cached-messages.ts';
import type { DrainReport } from '../domain/delivery/drain-report.ts';
import type { Profile } from '../domain/effects/contact-effects.ts';
import type { EventPosition, EventSelection } from '../domain/events/business-event.ts';
import type { LanguageTag } from '../domain/languages.ts';
import type { LoadedMessage, MessageEdit, MessageVersion } from '../domain/messages/edit.ts';
import type { Caller, MessageFacts } from '../domain/messages/message.ts';
import type { Post, RecentMessage, Refusal } from '../domain/messages/post.ts';
import type { TimerList } from '../domain/timers/timer.ts';
import type { Undelivered } from '../domain/operators/details.ts';

export const TASK_QUEUE = 'parlance';

/** Queue of activities that wait for timers: thousands of due timers must not delay posts. */
export const TIMER_TASK_QUEUE = 'parlance-timers';

/** Queue of activities that read mailboxes: they last for hours, and must not delay posts. */
export const MAILBOX_TASK_QUEUE = 'parlance-mailboxes';

/** After this time another worker gets the task of a crashed worker. */
export const WORKFLOW_TASK_TIMEOUT = '5s';

export const CONVERSATION_WORKFLOW = 'conversation';
export const DELIVERY_WORKFLOW = 'delivery';
export const ERASURE_WORKFLOW = 'erasure';
export const INBOUND_EVENT_WORKFLOW = 'inboundEvent';
export const RETRY_EVENTS_WORKFLOW = 'retryEvents';
export const MAILBOX_WORKFLOW = 'mailbox';
export const ACCOUNT_MAIL_WORKFLOW = 'accountMail';

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

export function mailboxWorkflowId(service: string): string {
  return `mailbox:${service}`;
}

/** One mail of a kind at a time for a recipient. `digest`: of the recipient. */
export function accountMailWorkflowId(kind: AccountMailKind, digest: string): string {
  return `mail:${kind}:${digest}`;
}

/** Search attributes for operators (spec 11.2). */
export const SEARCH_ATTRIBUTES = {
  status: 'ConversationStatus',
  organization: 'Organization',
  organizationPath: 'OrganizationPath',
  contact: 'Contact',
  category: 'Category',
  touchpoint: 'Touchpoint',
  blocked: 'Blocked',
  pendingDelays: 'PendingDelays',
  nextTimerAt: 'NextTimerAt',
  overdue: 'Overdue',
  snoozedUntil: 'SnoozedUntil',
  failing: 'Failing',
} as const;

export type SearchAttribute = keyof typeof SEARCH_ATTRIBUTES;

/** Facts that operators see in Temporal besides the state (spec 11.2). */
export interface OperatorFacts {
  /** '' for an id without a name. */
  names: Record<string, string>;
  path: string[];
  /** Search attributes that the namespace has. */
  attributes: SearchAttribute[];
}

export const POST_UPDATE = 'post';
export const AMEND_UPDATE = 'amend';
export const EDIT_UPDATE = 'edit';
export const REMOVE_UPDATE = 'remove';
/** Loads the stored state and the timers, and does what is due. */
export const REFRESH_UPDATE = 'refresh';
export const ERASED_UPDATE = 'erased';
/** The run is about to continue as new. Retry the update with the same id. */
export const CONTINUING_FAILURE = 'Continuing';
/** Query of the delivery workflow, for /readyz. */
export const PING_QUERY = 'ping';

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
  id: string;
  message: string;
  caller: Caller;
  ifStand?: MessageVersion;
  /** Refuses to remove a processed message (spec 6.4). */
  onlyWaiting?: true;
}

export interface EditInput extends Omit<RemoveInput, 'onlyWaiting'> {
  edit: MessageEdit;
  /** Present only for a delayed message. */
  facts?: MessageFacts;
}

export interface ErasureInput {
  id: string;
  conversation: string;
  caller: Caller;
  /** Required version (spec 2, `If-Match`). */
  ifVersion?: number;
}

/** Whether the conversation existed. `changed`: its version is not `ifVersion`. */
export type ErasureResult = boolean | 'changed';

/** `changed`: the record lacks the required version. */
export interface ChangeResult {
  done: boolean;
  refused?: Refusal;
  changed?: true;
}

export interface ConversationInput {
  id: string;
  /** Set by continue-as-new. */
  carried?:
    | {
        state: ConversationState;
        recent: RecentMessage[];
        facts?: OperatorFacts | undefined;
        timers?: TimerList | undefined;
        undelivered?: Undelivered | undefined;
      }
    | undefined;
  /** Set only by tests. */
  updatesPerRun?: number;
}

/** One commit (spec 1.2). */
export interface PersistInput {
  base: ConversationState;
  changes: Change[];
  /** Id of a conditional change, by which a retry recognises the change. */
  conditional?: string | undefined;
  /** Ids whose names to load, with the tenant path. */
  naming?: string[] | undefined;
  /** Version of the timers that the workflow knows. */
  timers?: string | undefined;
}

/**
 * `stale`: the store is ahead (docs/decisions/commit.md). `retimed`: a timer of an outdated list
 * was due, and nothing was stored. `timers` is present if the version differs.
 */
export type PersistResult =
  | { outcome: 'stored'; facts?: OperatorFacts | undefined; timers?: TimerList | undefined }
  | { outcome: 'retimed'; timers: TimerList }
  | ({ outcome: 'stale' } & LoadResult);

export interface LoadInput {
  id: string;
  naming?: true;
  timers?: string | undefined;
}

export type LoadResult =
  | {
      state: ConversationState;
      recent: RecentMessage[];
      undelivered?: Undelivered | undefined;
      /** Ids of the latest conditional changes. */
      conditional: string[];
      facts?: OperatorFacts | undefined;
      timers?: TimerList | undefined;
    }
  | { state: null; deleted: boolean };

export interface AwaitTimerInput {
  conversation: string;
  /** ISO 8601. */
  at: string;
}

export interface LoadDelayedResult {
  found: CachedMessage[];
  /** Number of given ids that this result covers. */
  looked: number;
}

export interface LoadMessageInput {
  conversation: string;
  message: string;
  maxLater?: number;
}

export interface ClaimContactInput {
  contact: string;
  conversation: string;
}

export const DRAIN_REPORT_SIGNAL = 'report';

export interface DrainInput {
  shard: number;
}

export interface MailboxInput {
  service: string;
}

export interface InboundEventInput {
  id: string;
}

export interface RetryBatch {
  selection: EventSelection;
  after?: EventPosition | undefined;
}

/** `recipient`: the id of the invited user, or the email that was entered, encrypted. */
export interface AccountMailInput {
  kind: AccountMailKind;
  recipient: string;
  /** For a recipient and an organization without a language. Absent: English. */
  language?: LanguageTag;
}

export interface Activities {
  load: (input: LoadInput) => Promise<LoadResult>;
  persist: (input: PersistInput) => Promise<PersistResult>;
  loadDelayed: (ids: string[]) => Promise<LoadDelayedResult>;
  loadProfile: (contact: string) => Promise<Profile>;
  loadMessage: (input: LoadMessageInput) => Promise<LoadedMessage | null>;
  /** Returns the contact's conversation, assigned if absent, or null for an unknown contact. */
  claimContact: (input: ClaimContactInput) => Promise<string | null>;
  /** Resolves after the conversation has fired its timers that were due at `at`. */
  awaitTimer: (input: AwaitTimerInput) => Promise<void>;
  drainDeliveries: (input: DrainInput) => Promise<DrainReport>;
  /** Reads for hours. Returns false if the service has no mailbox to read any more. */
  readMailbox: (input: MailboxInput) => Promise<boolean>;
  /** Rejects if the mail may be sent later. */
  sendAccountMail: (input: AccountMailInput) => Promise<AccountMailResult>;
  buryConversation: (input: ErasureInput) => Promise<ErasureResult>;
  eraseConversation: (conversation: string) => Promise<void>;
  finishErasure: (conversation: string) => Promise<void>;
  /** Returns the cost in milliseconds of CPU and lookups. */
  transformEvent: (input: InboundEventInput) => Promise<number>;
  postEvent: (input: InboundEventInput) => Promise<number>;
  retryNextEvents: (input: RetryBatch) => Promise<EventPosition | null>;
}
