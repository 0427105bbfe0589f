import type { Timed } from '../conversations/change.ts';
import type { Decision } from '../conversations/decide.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import { evolve } from '../conversations/evolve.ts';
import { wakeEffects } from '../effects/message-effects.ts';
import { addOpenTime } from './hours.ts';
import type { Hours } from './hours.ts';
import type { TimerState } from './timing.ts';

export interface Timer {
  name: string;
  when: TimerState;
  afterMs: number;
  only?: { category?: string[]; type?: string[]; touchpoint?: string[] };
  hours?: Hours;
  /** Name of the business event that is posted. */
  event: string;
  /** The bot that sends the event. */
  user: string;
}

/** The timers of an organization, with inherited ones. */
export interface TimerList {
  /** Changes with the list. Undefined for an empty list. */
  version?: string;
  timers: Timer[];
}

/** Firings per conversation and day in UTC. */
export const MAX_FIRINGS = 50;

const DAY_MS = 24 * 3600_000;
export interface NextTimer {
  timer: Timer;
  since: string;
  /** When the timer is due, as ISO 8601 UTC. */
  at: string;
}

/** The fields of a conversation that its timers depend on. */
export type TimedState = Pick<
  ConversationState,
  'category' | 'type' | 'touchpoints' | 'timing' | 'snoozedUntil'
>;

export function findNextTimer(state: TimedState, { timers }: TimerList): NextTimer | undefined {
  let next: NextTimer | undefined;
  for (const timer of timers) {
    const one = findDue(state, timer);
    if (one && (!next || one.at < next.at)) next = one;
  }
  return next;
}

/** Returns when a timer is due or a snooze ends, as ISO 8601 UTC. */
export function findWakeTime(state: TimedState, list: TimerList): string | undefined {
  return state.snoozedUntil ?? findNextTimer(state, list)?.at;
}

export function isExhausted({ timing }: ConversationState, now: string): boolean {
  return timing?.firings?.day === now.slice(0, 10) && timing.firings.count >= MAX_FIRINGS;
}

/** Returns whether a timer has fired in a state that still holds, and that an agent can end. */
export function isOverdue({ timing }: ConversationState, { timers }: TimerList): boolean {
  return timers.some(
    ({ name, when }) =>
      when !== 'unread' && timing?.[when] !== undefined && timing.fired?.[name] === timing[when],
  );
}

/** Decides which timers fire. Each fires once for each time that its state begins. Never throws. */
export function decideTimers(state: ConversationState, list: TimerList, now: string): Decision {
  const decision: Decision = { changes: [], state };
  for (;;) {
    const next = findNextTimer(decision.state, list);
    if (!next || next.at > now) return decision;
    const { timer, since, at: dueAt } = next;
    const { name, when, event, user } = timer;
    const id = `${state.id}-${name}-${since}`;
    const change: Timed = {
      ...{ kind: 'timed', id, at: now, timer: name, event, user, since, dueAt },
      ...(when === 'unread' ? { ifUnread: true } : {}),
    };
    decision.changes.push(change);
    decision.state = evolve(decision.state, change);
  }
}

function findDue(state: TimedState, timer: Timer): NextTimer | undefined {
  const { timing } = state;
  const since = timing?.[timer.when];
  if (
    state.snoozedUntil !== undefined ||
    since === undefined ||
    timing?.fired?.[timer.name] === since ||
    !isMeant(state, timer)
  )
    return undefined;
  const due = computeDue(Date.parse(since), timer);
  const at = due === undefined ? undefined : Math.max(due, findEndOfRest(state));
  return at === undefined ? undefined : { timer, since, at: new Date(at).toISOString() };
}

/** Decides whether a snoozed conversation wakes (spec 14.5). Never throws. */
export function decideWake(state: ConversationState, now: string): Decision {
  const { id, snoozedUntil, snoozedBy = state.createdBy } = state;
  if (snoozedUntil === undefined || snoozedUntil > now) return { changes: [], state };
  const effects = wakeEffects(state);
  const change = {
    kind: 'amended',
    id: `${id}-woken-${snoozedUntil}`,
    at: now,
    by: snoozedBy,
    effects,
  } as const;
  return { changes: [change], state: evolve(state, change) };
}

function isMeant({ category, type, touchpoints }: TimedState, { only = {} }: Timer): boolean {
  const touchpoint = Object.entries(touchpoints).find(([, { selected }]) => selected)?.[0];
  const matches = (wanted: string[] | undefined, value: string | undefined) =>
    wanted === undefined || (value !== undefined && wanted.includes(value));
  return matches(only.category, category) && matches(only.type, type) && matches(only.touchpoint, touchpoint);
}

function computeDue(since: number, { afterMs, hours }: Timer): number | undefined {
  if (!hours) return since + afterMs;
  try {
    return addOpenTime(since, afterMs, hours);
  } catch {
    // The API of another version may know more time zones. An error would block the conversation.
    return since + afterMs;
  }
}

function findEndOfRest({ timing }: TimedState): number {
  const { day, count } = timing?.firings ?? { day: '', count: 0 };
  return count >= MAX_FIRINGS ? Date.parse(day) + DAY_MS : 0;
}
