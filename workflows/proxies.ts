import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Profile } from '../domain/effects/contact-effects.ts';
import type {
  Activities,
  ClaimContactInput,
  LoadDelayedResult,
  LoadedMessage,
  LoadInput,
  LoadMessageInput,
  LoadResult,
  PersistInput,
  PersistResult,
} from './contract.ts';

/** Timeouts and retries of all activities. */

type ConversationActivities = Pick<
  Activities,
  'load' | 'persist' | 'loadDelayed' | 'loadMessage' | 'loadProfile' | 'claimContact'
>;

// A local activity costs no round trip to the server. Every ordinary commit uses it.
const quick = proxyLocalActivities<ConversationActivities>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 2, initialInterval: '100ms' },
  summary: 'asking the store',
});

// If the store does not respond in time, a regular activity waits without limit: an outage delays
// commits and never loses them.
const patient = proxyActivities<ConversationActivities>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '200ms', maximumInterval: '3s', backoffCoefficient: 1.5 },
  summary: 'waiting for the store',
});

// Turns of a conversation are never cancelled: attempts fail only if the store does.

/** Resolves when everything is stored. Never rejects. */
export function persist(input: PersistInput): Promise<PersistResult> {
  return quick.persist(input).catch(() => patient.persist(input));
}

export function load(input: LoadInput): Promise<LoadResult> {
  return quick.load(input).catch(() => patient.load(input));
}

export function loadDelayed(ids: string[]): Promise<LoadDelayedResult> {
  return quick.loadDelayed(ids).catch(() => patient.loadDelayed(ids));
}

export function loadMessage(input: LoadMessageInput): Promise<LoadedMessage | null> {
  return quick.loadMessage(input).catch(() => patient.loadMessage(input));
}

export function loadProfile(contact: string): Promise<Profile> {
  return quick.loadProfile(contact).catch(() => patient.loadProfile(contact));
}

export function claimContact(input: ClaimContactInput): Promise<string | null> {
  return quick.claimContact(input).catch(() => patient.claimContact(input));
}

// Retried until they succeed. A crashed worker delays callers by seconds, not by a minute.
export const { buryConversation, eraseConversation, finishErasure } = proxyActivities<
  Pick<Activities, 'buryConversation' | 'eraseConversation' | 'finishErasure'>
>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '10s' },
  summary: 'erasing a conversation',
});

// Missing heartbeats reveal a crashed worker, and another takes over (spec 7.8).
export const { drainDeliveries } = proxyActivities<Pick<Activities, 'drainDeliveries'>>({
  startToCloseTimeout: '3h',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '100ms', maximumInterval: '2s' },
  summary: 'sending webhooks',
});

// The timeout covers a slow expression and a busy store.
export const { transformEvent, postEvent } = proxyActivities<
  Pick<Activities, 'transformEvent' | 'postEvent'>
>({
  startToCloseTimeout: '45s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', backoffCoefficient: 2 },
});

// Runs events for some seconds.
export const { retryNextEvents } = proxyActivities<Pick<Activities, 'retryNextEvents'>>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', backoffCoefficient: 2 },
  summary: 'running events again',
});
