import type { Authority } from '../application/auth/authority.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import { createConversationActivities } from './conversation.ts';
import type { ConversationDeps } from './conversation.ts';
import { createDrainDeliveries } from './drain-deliveries.ts';
import type { DrainDeps } from './drain-deliveries.ts';
import { createEraseConversation } from './erase-conversation.ts';
import type { EraseDeps } from './erase-conversation.ts';
import { createEventActivities } from './business-event.ts';
import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { sendAccountMail } from '../deliveries/mail/account-mail.ts';
import type { AccountMailDeps } from '../deliveries/mail/account-mail.ts';
import type { MailboxReader } from '../deliveries/mail/mailbox-reader.ts';
import type { Change } from '../domain/conversations/change.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import { storeNow } from '../store/cluster/clock.ts';
import type { AccountMailInput, Activities, AwaitTimerInput, MailboxInput } from '../workflows/contract.ts';

export interface ActivityDeps extends ConversationDeps, DrainDeps, EraseDeps, EventDeps {
  authority: Authority;
  posting: PostingDeps;
  mailboxes: Pick<MailboxReader, 'read'>;
  accountMail: AccountMailDeps;
}

export function createActivities(deps: ActivityDeps): Activities {
  return {
    ...createConversationActivities(deps),
    ...createDrainDeliveries(deps),
    ...withHeartbeats(createEraseConversation(deps)),
    ...withHeartbeats(createEventActivities(deps)),
    ...withHeartbeats(createTimerActivities(deps)),
    ...withHeartbeats(createMailActivities(deps)),
  };
}

function createMailActivities({ mailboxes, accountMail }: Pick<ActivityDeps, 'mailboxes' | 'accountMail'>) {
  return {
    sendAccountMail: (input: AccountMailInput) => sendAccountMail(accountMail, input),
    readMailbox: ({ service }: MailboxInput) => mailboxes.read(service, cancellationSignal()),
  };
}

/**
 * The slot of a due timer is taken until the conversation has fired it: the number of slots bounds
 * the load (docs/decisions/timers.md).
 */
function createTimerActivities({ posting: { conversations } }: Pick<ActivityDeps, 'posting'>) {
  return {
    async awaitTimer({ conversation, at }: AwaitTimerInput): Promise<void> {
      const waitMs = Date.parse(at) - storeNow();
      if (waitMs > 0) throw notDue(at, waitMs);
      await conversations.refresh(conversation, `timer-${at}`);
    },
  };
}

// Temporal retries a failed attempt after the delay. Until then nothing waits in a worker.
function notDue(at: string, nextRetryDelay: number): ApplicationFailure {
  const message = `The next timer is due at ${at}.`;
  return ApplicationFailure.create({ message, type: 'NotDue', nextRetryDelay, category: 'BENIGN' });
}

const EVERY_MS = 1_000;

/** Adds heartbeats, so that Temporal detects a crashed worker. */
export function withHeartbeats<T extends Record<string, (argument: never) => Promise<unknown>>>(
  activities: T,
): T {
  const all = Object.entries(activities).map(([name, work]) => [name, heartbeatDuring(work)]);
  return Object.fromEntries(all) as T;
}

function heartbeatDuring<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  return async (argument) => {
    const timer = setInterval(heartbeat, EVERY_MS);
    try {
      return await work(argument);
    } finally {
      clearInterval(timer);
    }
  };
}

export function tracedActivities(tracer: Tracer | undefined, activities: Activities): Activities {
  if (!tracer) return activities;
  return {
    ...activities,
    persist(input) {
      const facts = { 'parlance.conversation': input.base.id, 'parlance.changes': input.changes.length };
      const from = { kind: 'internal', parents: collectTraces(input.changes), facts } as const;
      return tracer.during('commit', from, () => activities.persist(input));
    },
  };
}

function collectTraces(changes: Change[]): string[] {
  const traces = changes.flatMap((change) => ('caller' in change ? (change.caller.trace ?? []) : []));
  return [...new Set(traces)];
}
