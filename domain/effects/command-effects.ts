import { getSender } from '../conversations/arrival.ts';
import type { IncomingMessage } from '../conversations/arrival.ts';
import type { Effect } from '../conversations/change.ts';
import { parseCommand } from './command.ts';
import type { ConversationState, ConversationStatus } from '../conversations/conversation.ts';
import type { MessageDraft } from '../messages/message.ts';
import { unprocessable } from '../refusal.ts';
import { settingEffects } from './setting.ts';

/**
 * What a command does (spec 6.5); nothing if nobody here knows it. Throws DomainError where its
 * arguments are wrong or name what is not there.
 */
export function commandEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  const { draft } = arrival;
  const command = parseCommand(draft);
  switch (command.name) {
    case 'set':
      return settingEffects(command.setting, draft.facts?.categories);
    case 'notify':
      return notifyEffects(state, draft, command.channels);
    case 'assign':
      return command.users.map((user) => assignEffect(state, draft, user));
    case 'accept':
      return acceptEffects(state, getSender(arrival));
    case 'leave':
      return leaveEffects(state, getSender(arrival));
    // The sender of any first message becomes a participant: that is all there is to joining.
    case 'join':
    case 'other':
      return [];
  }
}

/**
 * A participant takes the conversation: they become active, it leaves their inbox, nobody else has
 * to be notified.
 */
export function acceptEffects(state: ConversationState, user: string): Effect[] {
  const { channels, channelsOffline } = state;
  return [
    { kind: 'participant', user, set: { active: true, accepted: true, inbox: false } },
    ...statusEffect(state, 'active'),
    ...(channels.length > 0 ? [{ kind: 'channels' as const, channels: [], channelsOffline }] : []),
  ];
}

/** The change to a status, or nothing where it is so already. */
export function statusEffect(state: ConversationState, status: ConversationStatus): Effect[] {
  return state.status === status ? [] : [{ kind: 'status', status }];
}

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

function assignEffect(state: ConversationState, { facts }: MessageDraft, user: string): Effect {
  const found = facts?.assignees?.find((one) => one.user === user);
  if (!found) throw unprocessable(`/assign: there is no user "${user}".`);
  const known = state.participants.some((one) => one.user === user);
  const joined = known ? {} : { organization: found.organization, role: found.role };
  return { kind: 'participant', user, set: { ...joined, inbox: true } };
}

function leaveEffects(state: ConversationState, user: string): Effect[] {
  const others = state.participants.some((one) => one.accepted && one.user !== user);
  return [
    { kind: 'participant', user, set: { active: false, accepted: false, inbox: false } },
    ...(others ? [] : statusEffect(state, 'closed')),
  ];
}
