import type { Change } from '../conversations/change.ts';
import { startTiming } from '../conversations/conversation.ts';
import type { ConversationState, Timing } from '../conversations/conversation.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';

/** The states that a timer can watch (spec 14.1). */
export const TIMER_STATES = ['queued', 'waiting', 'quiet', 'accepted', 'unread'] as const;
export type TimerState = (typeof TIMER_STATES)[number];

/** Names of fired timers that are kept. An organization may rename its timers without end. */
const MAX_FIRED = 50;

/** Returns the timing after a change, and the same object if the timing stays the same. */
export function timingAfter(before: ConversationState, next: ConversationState, change: Change): Timing {
  const was = before.timing ?? startTiming({ status: before.status, createdAt: before.lastMessageAt });
  if (change.kind === 'timed') return { ...was, ...countFiring(was, change) };
  const { fired, firings } = was;
  const isWoken = before.snoozedUntil !== undefined && next.snoozedUntil === undefined;
  const states = statesAfter(isWoken ? restart(was, change.at) : was, { before, next, change });
  const kept = { ...(fired ? { fired } : {}), ...(firings ? { firings } : {}) };
  const after: Timing = next.status === 'closed' ? kept : { ...states, ...kept };
  return isSameTiming(was, after) ? was : after;
}

function restart(was: Timing, at: string): Timing {
  const states = TIMER_STATES.filter((state) => was[state] !== undefined).map((state) => [state, at]);
  return { ...was, ...(Object.fromEntries(states) as Timing) };
}

interface Step {
  before: ConversationState;
  next: ConversationState;
  change: Change;
}

function statesAfter(was: Timing, { before, next, change }: Step): Omit<Timing, 'fired' | 'firings'> {
  const { at } = change;
  const speech = findSpeech(change);
  const spokenBy = speech?.isBackchannel === false ? speech.role : undefined;
  const isContact = spokenBy === 'contact';
  const isReply = spokenBy === 'agent' || spokenBy === 'bot';
  const unread = isContact ? undefined : isReply && isOnPageAlone(change) ? startUnread(was, at) : was.unread;
  const waiting = isContact ? (was.waiting ?? at) : isReply ? undefined : was.waiting;
  const quiet = speech ? at : (was.quiet ?? at);
  const accepted = acceptedAfter(was, { before, next, change }, isReply ? speech?.sender : undefined);
  return {
    ...(next.status === 'queued' ? { queued: was.queued ?? at } : {}),
    ...(waiting === undefined ? {} : { waiting }),
    quiet,
    ...(unread === undefined ? {} : { unread }),
    ...accepted,
  };
}

/** Returns whether the chat page is the only place where the contact can read a message. */
function isOnPageAlone(change: Change): boolean {
  return change.kind === 'processed' && change.message.delivery === undefined;
}

/** The state begins again after a timer fired in it, so that a later reply is not left out. */
function startUnread({ unread, fired = {} }: Timing, at: string): string {
  return unread === undefined || Object.values(fired).includes(unread) ? at : unread;
}

interface Speech {
  role: string | undefined;
  isBackchannel: boolean;
  sender: string;
}

/** Returns the message of a change. The messages of timers do not count (spec 14.4). */
function findSpeech(change: Change): Speech | undefined {
  if (change.kind !== 'processed' || change.caller.origin === 'timer') return undefined;
  const { type, role, isBackchannel, user } = change.message;
  return SPOKEN_TYPES.includes(type)
    ? { role, isBackchannel, sender: user ?? change.caller.user }
    : undefined;
}

function acceptedAfter(
  was: Timing,
  { before, next, change }: Step,
  replied: string | undefined,
): Pick<Timing, 'accepted' | 'acceptedBy'> {
  if (next.status !== 'active') return {};
  const isAccepted = (state: ConversationState, user: string | undefined) =>
    state.participants.some((one) => one.user === user && one.accepted);
  const fresh =
    before.participants === next.participants
      ? undefined
      : next.participants.findLast(({ user, accepted }) => accepted && !isAccepted(before, user));
  const { accepted = '', acceptedBy } = fresh ? { accepted: change.at, acceptedBy: fresh.user } : was;
  if (acceptedBy === undefined || acceptedBy === replied || !isAccepted(next, acceptedBy)) return {};
  return { accepted, acceptedBy };
}

function countFiring(
  { fired, firings }: Timing,
  { timer, since, at }: Extract<Change, { kind: 'timed' }>,
): Pick<Timing, 'fired' | 'firings'> {
  const { [timer]: _, ...others } = fired ?? {};
  const kept = Object.entries(others).slice(1 - MAX_FIRED);
  const day = at.slice(0, 10);
  const count = firings?.day === day ? firings.count + 1 : 1;
  return { fired: { ...Object.fromEntries(kept), [timer]: since }, firings: { day, count } };
}

function isSameTiming(a: Timing, b: Timing): boolean {
  return (
    TIMER_STATES.every((state) => a[state] === b[state]) &&
    a.acceptedBy === b.acceptedBy &&
    a.fired === b.fired &&
    a.firings === b.firings
  );
}
