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

/** All timeouts and retries of activities, on one screen. */

type ConversationActivities = Pick<
  Activities,
  'load' | 'persist' | 'loadDelayed' | 'loadMessage' | 'loadProfile' | 'claimContact'
>;

// A local activity costs no round trip through the server: the way of every ordinary commit.
const quick = proxyLocalActivities<ConversationActivities>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 2, initialInterval: '100ms' },
  summary: 'asking the store',
});

// When the store does not answer in time, a regular activity waits for it, for ever: an outage
// delays and never loses.
const patient = proxyActivities<ConversationActivities>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '200ms', maximumInterval: '3s', backoffCoefficient: 1.5 },
  summary: 'waiting for the store',
});

// These are called in turns of a conversation only, where nothing is cancelled: only the store's
// failing ends an attempt.

/** Everything is stored when this resolves; never rejects. */
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

// Steps of an erasure are repeated until they are through; whoever waits for it waits seconds for a
// worker that died, and no minute.
export const { buryConversation, eraseConversation, finishErasure } = proxyActivities<
  Pick<Activities, 'buryConversation' | 'eraseConversation' | 'finishErasure'>
>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '10s' },
  summary: 'erasing a conversation',
});

// Runs for hours. A worker that dies is noticed by its heartbeats, and another one goes on (spec
// 7.8).
export const { drainDeliveries } = proxyActivities<Pick<Activities, 'drainDeliveries'>>({
  startToCloseTimeout: '3h',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '100ms', maximumInterval: '2s' },
  summary: 'sending webhooks',
});

// A worker that dies is noticed after the time that a long expression and a busy store may take;
// until then the event waits.
export const { transformEvent, postEvent } = proxyActivities<
  Pick<Activities, 'transformEvent' | 'postEvent'>
>({
  startToCloseTimeout: '45s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', backoffCoefficient: 2 },
});

// Some seconds of events at a time, one after the other.
export const { retryNextEvents } = proxyActivities<Pick<Activities, 'retryNextEvents'>>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', backoffCoefficient: 2 },
  summary: 'running events again',
});
