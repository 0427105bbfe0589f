import { countLoop, unblockBots } from './bot-loop.ts';
import type { Change, Effect, Removed } from './change.ts';
import { FRESH_PARTICIPANT, MAX_PARTICIPANTS, holdsConversation, isInboxToRead } from './conversation.ts';
import type { ConversationForm, ConversationState, Participant, PendingMessage } from './conversation.ts';
import { eventNames } from '../events/event-name.ts';
import { timingAfter } from '../timers/timing.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import { setFirstTimes } from './waiting-times.ts';

/** Returns the state after a change. The commit sets `version`. */
export function evolve(state: ConversationState, change: Change): ConversationState {
  const next = evolveKind({ ...state, updatedAt: change.at }, change);
  setFirstTimes(next, state, change);
  if (next.snoozedUntil !== undefined && next.status !== 'active') clearSnooze(next);
  next.timing = timingAfter(state, next, change);
  next.eventSequence += eventNames(change, next).length;
  return next;
}

export function intermediateStates(
  state: ConversationState,
  changes: readonly Change[],
): ConversationState[] {
  const states: ConversationState[] = [];
  for (const change of changes) states.push(evolve(states.at(-1) ?? state, change));
  return states;
}

function evolveKind(next: ConversationState, change: Change): ConversationState {
  switch (change.kind) {
    case 'edited':
      if (change.dueAt !== undefined)
        next.pending = withMessage(withoutMessage(next.pending, change.message.id), {
          id: change.message.id,
          dueAt: change.dueAt,
        });
      return next;
    case 'removed':
      return withoutSpoken(next, change);
    case 'created':
    case 'erased':
    case 'timed':
      return next;
    case 'processed':
      next.sequence = change.message.sequence;
      if (SPOKEN_TYPES.includes(change.message.type)) next.lastMessageAt = change.at;
      if (change.wasDelayed) next.pending = withoutMessage(next.pending, change.id);
      next.loops = countLoop(next.loops, change.counted, Date.parse(change.at));
      return applyEffects(next, change.effects);
    case 'delayed':
      next.pending = withMessage(next.pending, { id: change.id, dueAt: change.dueAt });
      next.loops = countLoop(next.loops, change.counted, Date.parse(change.at));
      return next;
    case 'cancelled':
      next.pending = withoutMessage(next.pending, change.id);
      return next;
    case 'amended':
      return applyEffects(next, change.effects);
  }
}

export function applyEffects(state: ConversationState, effects: readonly Effect[]): ConversationState {
  return effects.reduce(applyEffect, state);
}

/** Returns whether an effect of an upsert or operator changes the state. True for other effects. */
export function hasEffect(state: ConversationState, effect: Effect): boolean {
  switch (effect.kind) {
    case 'set':
      return (state[effect.field] ?? null) !== effect.value;
    case 'meta': {
      const before = Object.hasOwn(state.meta, effect.key) ? state.meta[effect.key] : null;
      return JSON.stringify(before) !== JSON.stringify(effect.value);
    }
    case 'owner':
      return effect.contact !== state.contact && (effect.from ?? state.contact) === state.contact;
    case 'left':
      return state.participants.some((one) => one.user === effect.user && holdsConversation(one));
    case 'unblocked':
      return Object.keys(state.loops).some((bot) => effect.bot === undefined || bot === effect.bot);
    case 'hurried':
      return state.pending.some(({ id }) => effect.message === undefined || id === effect.message);
    default:
      return true;
  }
}

function withMessage(pending: PendingMessage[], message: PendingMessage): PendingMessage[] {
  return [...pending, message].sort(byDueTime);
}

function withoutMessage(pending: PendingMessage[], id: string): PendingMessage[] {
  return pending.filter((waiting) => waiting.id !== id);
}

function makeDueNow(
  { pending, updatedAt }: ConversationState,
  message: string | undefined,
): PendingMessage[] {
  const makeDue = ({ id, dueAt }: PendingMessage) =>
    (message === undefined || id === message) && dueAt > updatedAt ? { id, dueAt: updatedAt } : { id, dueAt };
  return pending.map(makeDue).sort(({ dueAt: a }, { dueAt: b }) => (a === b ? 0 : a < b ? -1 : 1));
}

function byDueTime(a: PendingMessage, b: PendingMessage): number {
  if (a.dueAt !== b.dueAt) return a.dueAt < b.dueAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function applyEffect(state: ConversationState, effect: Effect): ConversationState {
  switch (effect.kind) {
    case 'status':
      return { ...state, status: effect.status };
    case 'set':
      return withField(state, effect);
    case 'meta':
      return { ...state, meta: withKey(state.meta, effect) };
    case 'participant':
      return { ...state, participants: withParticipant(state.participants, effect) };
    case 'unread':
      return countUnread(state, effect.sender);
    case 'read':
      return markRead(state, effect.user);
    case 'channels':
      return { ...state, channels: effect.channels, channelsOffline: effect.channelsOffline };
    case 'touchpoint':
      return { ...state, touchpoints: { ...state.touchpoints, [effect.code]: effect.touchpoint } };
    case 'form':
      return { ...state, forms: withForm(state.forms, effect.form) };
    case 'formValue':
      return { ...state, forms: state.forms.map((one) => withValue(one, effect)) };
    case 'formRemoved':
      return { ...state, forms: state.forms.filter(({ form }) => form !== effect.form) };
    case 'owner':
      return { ...state, contact: effect.contact };
    case 'left':
      return endParticipation(state, effect.user);
    case 'unblocked':
      return { ...state, loops: unblockBots(state.loops, effect.bot) };
    case 'hurried':
      return { ...state, pending: makeDueNow(state, effect.message) };
    case 'snooze':
      return snooze(state, effect);
    case 'labels':
      return withLabels(state, effect.labels);
    case 'rating':
      return { ...state, rating: effect.rating };
    case 'replace':
      return replaceFields(state, effect);
    // Results and contact profiles are only in the store.
    case 'result':
    case 'contact':
      return state;
  }
}

function snooze(
  state: ConversationState,
  { until, by }: Extract<Effect, { kind: 'snooze' }>,
): ConversationState {
  if (until !== undefined) return { ...state, snoozedUntil: until, ...(by ? { snoozedBy: by } : {}) };
  return clearSnooze({ ...state });
}

function clearSnooze(state: ConversationState): ConversationState {
  delete state.snoozedUntil;
  delete state.snoozedBy;
  return state;
}

function withLabels({ labels: _, ...rest }: ConversationState, labels: string[]): ConversationState {
  return labels.length === 0 ? rest : { ...rest, labels };
}

function withField(state: ConversationState, { field, value }: Extract<Effect, { kind: 'set' }>) {
  const { [field]: _, ...rest } = state;
  return value === null ? rest : { ...rest, [field]: value };
}

function withKey(values: Record<string, unknown>, { key, value }: { key: string; value: unknown }) {
  const { [key]: _, ...rest } = values;
  return value === null || value === undefined ? rest : { ...rest, [key]: value };
}

function withForm(forms: ConversationForm[], form: ConversationForm): ConversationForm[] {
  const open = forms.some((one) => one.form === form.form);
  return open ? forms.map((one) => (one.form === form.form ? form : one)) : [...forms, form];
}

function withValue(form: ConversationForm, effect: Extract<Effect, { kind: 'formValue' }>): ConversationForm {
  return form.form === effect.form ? { ...form, values: withKey(form.values, effect) } : form;
}

function withParticipant(
  participants: Participant[],
  effect: Extract<Effect, { kind: 'participant' }>,
): Participant[] {
  const known = participants.some(({ user }) => user === effect.user);
  if (known) return participants.map((one) => (one.user === effect.user ? { ...one, ...effect.set } : one));
  const others = effect.set.inbox ? participants : makeRoom(participants);
  return [...others, { user: effect.user, ...FRESH_PARTICIPANT, ...effect.set }];
}

/**
 * Removes the participant who has posted and read nothing for longest, if there are too many for a
 * user who posts. An assignment replaces nobody. Keeps those who hold the conversation, and guests,
 * whose access depends on it.
 */
function makeRoom(participants: Participant[]): Participant[] {
  if (participants.length < MAX_PARTICIPANTS) return participants;
  const idle = participants.filter((one) => !one.accepted && !one.inbox && !one.active && !one.follow);
  const [first] = idle
    .filter(({ role }) => role !== undefined && role !== 'viewer')
    .toSorted((one, other) => other.unreadCount - one.unreadCount);
  return participants.filter((one) => one !== first);
}

function endParticipation(state: ConversationState, user: string): ConversationState {
  const [former] = state.participants.filter((one) => one.user === user);
  const participants = state.participants.map((one) =>
    one.user === user ? { ...one, active: false, accepted: false, inbox: false } : one,
  );
  const isHeld = former?.accepted === true || former?.inbox === true;
  const isFree = isHeld && state.status === 'active' && state.snoozedUntil === undefined;
  const isTaken = participants.some((one) => one.accepted || (!former?.accepted && one.inbox));
  return { ...state, participants, ...(isFree && !isTaken ? { status: 'queued' as const } : {}) };
}

function countUnread(state: ConversationState, sender: string | null): ConversationState {
  const count = (one: Participant) => ({ ...one, unreadCount: one.unreadCount + 1 });
  const counted = { ...state, participants: state.participants.map(count) };
  return sender === null ? counted : markRead(counted, sender);
}

/** A participant has the latest spoken messages unread, as many as `unreadCount`. */
function withoutSpoken(state: ConversationState, { message, remaining }: Removed): ConversationState {
  if (!remaining || !SPOKEN_TYPES.includes(message.type)) return state;
  const { later, lastMessageAt = state.createdAt } = remaining;
  const participants = state.participants.map((one) =>
    one.unreadCount > later ? { ...one, unreadCount: one.unreadCount - 1 } : one,
  );
  return { ...state, participants, lastMessageAt };
}

/** A conversation that a colleague has accepted leaves the reader's inbox. */
function markRead(state: ConversationState, user: string): ConversationState {
  const read = isInboxToRead(state, user) ? { unreadCount: 0, inbox: false } : { unreadCount: 0 };
  const participants = state.participants.map((one) => (one.user === user ? { ...one, ...read } : one));
  return { ...state, participants };
}

function replaceFields(
  state: ConversationState,
  effect: Extract<Effect, { kind: 'replace' }>,
): ConversationState {
  const next = { ...state, ...effect.fields };
  for (const field of effect.clear) Reflect.deleteProperty(next, field);
  return next;
}
