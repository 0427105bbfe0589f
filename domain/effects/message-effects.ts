import { getSender } from '../conversations/change.ts';
import type { IncomingMessage, Effect } from '../conversations/change.ts';
import { holdsConversation } from '../conversations/conversation.ts';
import type { ConversationState, ConversationStatus, Participant } from '../conversations/conversation.ts';
import { fieldEffects, settingEffects } from './setting.ts';
import { formEffects } from './form.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import { MAX_TOUCHPOINT_SERVICES } from '../conversations/touchpoint.ts';
import { parseCommand } from './command.ts';
import { MAX_AFTER_MS } from '../timers/duration.ts';
import type { MessageDraft, FormResult, UserFacts } from '../messages/message.ts';
import { unprocessable, withinPath } from '../errors.ts';
import { definedFields } from '../record-fields.ts';

/**
 * Returns effects in order (spec 5.2). Throws DomainError `unprocessable` if the message conflicts
 * with the state, `invalid_request` for an unsafe key.
 */
export function messageEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  return [
    ...joinEffects(state, arrival),
    ...statusEffects(state, arrival),
    ...typeEffects(state, arrival),
    ...touchpointEffects(state, arrival.draft),
    ...unreadEffects(arrival),
  ];
}

/**
 * Returns the effects of a due message except the effects of its type and touchpoint, which may be
 * invalid. Never throws.
 */
export function plainEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  return [...joinEffects(state, arrival), ...statusEffects(state, arrival), ...unreadEffects(arrival)];
}

function isParticipant(state: ConversationState, user: string): boolean {
  return state.participants.some((participant) => participant.user === user);
}

function joinEffects(state: ConversationState, { draft }: IncomingMessage): Effect[] {
  const sender = draft.facts?.sender;
  if (!sender || isParticipant(state, sender.user)) return [];
  return [
    { kind: 'participant', user: sender.user, set: { organization: sender.organization, role: sender.role } },
  ];
}

function statusEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  const { role, isBackchannel } = arrival.draft;
  if (role === 'contact' && state.status === 'closed') return statusEffect(state, 'queued');
  if (role === 'contact' && SPOKEN_TYPES.includes(arrival.draft.type)) return wakeEffects(state);
  const sender = getSender(arrival);
  return role === 'agent' && !isBackchannel && !isParticipant(state, sender)
    ? acceptEffects(state, sender)
    : [];
}

function typeEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  switch (arrival.draft.type) {
    case 'command':
      return commandEffects(state, arrival);
    case 'field':
      return fieldEffects(state, arrival.draft);
    case 'form':
      return formEffects(state, arrival.draft);
    case 'results':
      return resultsEffects(state, arrival.draft);
    case 'mention':
      return mentionEffects(state, arrival.draft);
    default:
      return [];
  }
}

/**
 * Activates the touchpoint of a message from the contact, or with a service or template. Selects
 * the touchpoint if the contact wrote or no other touchpoint is selected.
 */
function touchpointEffects(state: ConversationState, draft: MessageDraft): Effect[] {
  if (!reachesContact(draft)) return [];
  const { touchpoints } = state;
  const known = Object.hasOwn(touchpoints, draft.touchpoint) ? touchpoints[draft.touchpoint] : undefined;
  const others = Object.entries(touchpoints).filter(([code]) => code !== draft.touchpoint);
  const taken = others.some(([, { selected }]) => selected);
  const selected = draft.role === 'contact' || (known?.selected ?? !taken);
  const services = servicesWith(known?.services ?? [], draft);
  if (known?.selected === selected && known.services === services) return [];
  return [
    ...others
      .filter((other) => selected && other[1].selected)
      .map(([code, other]): Effect => ({
        kind: 'touchpoint',
        code,
        touchpoint: { ...other, selected: false },
      })),
    { kind: 'touchpoint', code: draft.touchpoint, touchpoint: { services, selected } },
  ];
}

function reachesContact({ type, role, isBackchannel, service, meta }: MessageDraft): boolean {
  if (!SPOKEN_TYPES.includes(type) || isBackchannel) return false;
  return role === 'contact' || service !== undefined || meta?.['template'] != null;
}

/** The last channel service is the last of the list (spec 15.2). */
function servicesWith(services: string[], { service, facts }: MessageDraft): string[] {
  if (service === undefined || services.at(-1) === service) return services;
  const isChannel = facts?.carriers?.services.some(({ id }) => id === service) ?? false;
  if (services.includes(service) && !isChannel) return services;
  return [...services.filter((one) => one !== service), service].slice(-MAX_TOUCHPOINT_SERVICES);
}

function unreadEffects({ draft }: IncomingMessage): Effect[] {
  return SPOKEN_TYPES.includes(draft.type) ? [{ kind: 'unread', sender: draft.user ?? null }] : [];
}

function commandEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  const { draft } = arrival;
  const command = parseCommand(draft);
  switch (command.name) {
    case 'set':
      return settingEffects(command.setting, draft.facts?.categories);
    case 'notify':
      return notifyEffects(state, draft, command.channels);
    case 'assign':
      return [...teamEffects(state, draft, command.team), ...assignEffects(state, draft, command)];
    case 'accept':
      return acceptEffects(state, getSender(arrival));
    case 'leave':
      return leaveEffects(state, getSender(arrival));
    case 'snooze':
      return snoozeEffects(state, arrival, command);
    case 'wake':
      return wakeEffects(state);
    case 'label':
      return labelsEffects(state, [...withoutLabel(state, command.label), command.label]);
    case 'unlabel':
      return labelsEffects(state, withoutLabel(state, command.label));
    // The sender of any message becomes a participant.
    case 'join':
    case 'other':
      return [];
  }
}

function acceptEffects(state: ConversationState, user: string): Effect[] {
  const { channels, channelsOffline } = state;
  return [
    { kind: 'participant', user, set: { active: true, accepted: true, inbox: false } },
    ...statusEffect(state, 'active'),
    ...(channels.length > 0 ? [{ kind: 'channels' as const, channels: [], channelsOffline }] : []),
  ];
}

function statusEffect(state: ConversationState, status: ConversationStatus): Effect[] {
  return state.status === status ? [] : [{ kind: 'status', status }];
}

const RELEASED = { active: false, accepted: false, inbox: false } as const;

function notifyEffects(state: ConversationState, draft: MessageDraft, wanted: string[] | 'all'): Effect[] {
  const { online, offline } = draft.facts?.channels ?? { online: [], offline: [] };
  const unknown = wanted === 'all' ? undefined : wanted.find((id) => ![...online, ...offline].includes(id));
  if (unknown !== undefined) throw unprocessable(`/notify: there is no channel "${unknown}".`);
  const among = (ids: string[]) => (wanted === 'all' ? ids : ids.filter((id) => wanted.includes(id)));
  return [
    ...(state.status === 'closed' ? statusEffect(state, 'queued') : []),
    { kind: 'channels', channels: among(online), channelsOffline: among(offline) },
  ];
}

/** Hands the conversation over: no user holds it, and it waits in the queue for the team. */
function teamEffects(state: ConversationState, { facts }: MessageDraft, team?: string | null): Effect[] {
  if (team === undefined) return [];
  const set: Effect = { kind: 'set', field: 'team', value: team };
  if (team === null) return [set];
  const { online = [], offline = [] } = facts?.channels ?? {};
  if (![...online, ...offline].includes(team)) throw unprocessable(`/assign: there is no channel "${team}".`);
  return [
    set,
    ...releaseEffects(state.participants),
    ...(state.snoozedUntil === undefined ? statusEffect(state, 'queued') : []),
  ];
}

/**
 * Hands the conversation over to the people whom the command names, and lets others join. Bots stay
 * until a person has accepted. A closed conversation keeps its holders: they worked on it.
 */
function assignEffects(
  state: ConversationState,
  { facts }: MessageDraft,
  { users, team }: { users: string[]; team?: string | null },
): Effect[] {
  const assigned = users.map((user) => {
    const found = facts?.assignees?.find((one) => one.user === user);
    if (!found) throw unprocessable(`/assign: there is no user "${user}".`);
    return found;
  });
  const isReleased = typeof team === 'string' || state.status === 'closed';
  const isHandedOver = !isReleased && assigned.some(isPerson);
  return [
    ...(isHandedOver ? handOverEffects(state, users) : []),
    ...assigned.map((one) => inboxEffect(state, one)),
  ];
}

function handOverEffects(state: ConversationState, users: string[]): Effect[] {
  const isOther = ({ user, role }: Participant) => role !== 'bot' && !users.includes(user);
  const isTaken = state.participants.some((one) => one.accepted && !isOther(one));
  const isFree = !isTaken && state.snoozedUntil === undefined;
  return [
    ...releaseEffects(state.participants.filter(isOther)),
    ...(isFree ? statusEffect(state, 'queued') : []),
  ];
}

function releaseEffects(participants: Participant[]): Effect[] {
  return participants
    .filter(holdsConversation)
    .map(({ user }): Effect => ({ kind: 'participant', user, set: RELEASED }));
}

const isPerson = ({ role }: UserFacts) => role === 'agent' || role === 'admin';

function inboxEffect(state: ConversationState, { user, organization, role }: UserFacts): Effect {
  const joined = isParticipant(state, user) ? {} : { organization, role };
  return { kind: 'participant', user, set: { ...joined, inbox: true } };
}

/** Puts the conversation into the inbox of mentioned people whom the sender sees (spec 6.9). */
function mentionEffects(state: ConversationState, { facts }: MessageDraft): Effect[] {
  const people = facts?.assignees?.filter(isPerson) ?? [];
  const others = people.filter(
    ({ user }) => !state.participants.some((one) => one.user === user && (one.accepted || one.inbox)),
  );
  return others.map((one) => inboxEffect(state, one));
}

function leaveEffects(state: ConversationState, user: string): Effect[] {
  const others = state.participants.some((one) => one.accepted && one.user !== user);
  return [{ kind: 'participant', user, set: RELEASED }, ...(others ? [] : statusEffect(state, 'closed'))];
}

function snoozeEffects(
  state: ConversationState,
  arrival: IncomingMessage,
  { until, isDuration }: { until: number; isDuration: boolean },
): Effect[] {
  const { createdAt, delay = 0 } = arrival.draft;
  const now = Date.parse(createdAt) + delay;
  const at = isDuration ? now + until : until;
  if (state.status === 'closed') throw unprocessable('/snooze: the conversation is closed.');
  if (at <= now) throw unprocessable('/snooze: the time must be in the future.');
  if (at > now + MAX_AFTER_MS) throw unprocessable('/snooze: the time must be within 400 days.');
  const by = getSender(arrival);
  return [...statusEffect(state, 'active'), { kind: 'snooze', until: new Date(at).toISOString(), by }];
}

/** A snoozed conversation returns to the queue unless a user has accepted it (spec 14.5). */
export function wakeEffects(state: ConversationState): Effect[] {
  if (state.snoozedUntil === undefined) return [];
  const isTaken = state.participants.some(({ accepted }) => accepted);
  return [{ kind: 'snooze' }, ...(isTaken ? [] : statusEffect(state, 'queued'))];
}

function withoutLabel({ labels = [] }: ConversationState, label: string): string[] {
  return labels.filter((one) => one !== label);
}

/** No effect if the labels stay the same. */
function labelsEffects({ labels: before = [] }: ConversationState, labels: string[]): Effect[] {
  return labels.length === before.length ? [] : [{ kind: 'labels', labels }];
}

/** Moves completed forms to the results (spec 6.8). A static form stays open, without values. */
function resultsEffects(state: ConversationState, draft: MessageDraft): Effect[] {
  const results = draft.results ?? [];
  const rating = draft.facts?.rating;
  return [
    ...results.flatMap((result, at) =>
      withinPath(`results.${at}`, () => completionEffects(state, draft.id, result)),
    ),
    ...(rating === undefined ? [] : [{ kind: 'rating' as const, rating }]),
  ];
}

function completionEffects(
  state: ConversationState,
  message: string,
  { form, formName }: FormResult,
): Effect[] {
  const open = state.forms.find((one) => one.form === form);
  const name = formName ?? open?.name;
  if (name === undefined) throw unprocessable('is required for a form that is not open here', 'formName');
  const { category, categoryIndex } = open ?? state;
  const result = { message, form, name, ...definedFields({ category, categoryIndex }) };
  const completed: Effect = { kind: 'result', result };
  if (!open) return [completed];
  return open.type === 'static'
    ? [{ kind: 'form', form: { ...open, values: {} } }, completed]
    : [{ kind: 'formRemoved', form }, completed];
}
