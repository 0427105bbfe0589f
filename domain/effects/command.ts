import type { MessageDraft } from '../messages/message.ts';
import { parseLabel } from '../conversations/labels.ts';
import { unprocessable } from '../errors.ts';
import { suggestionFor } from '../suggestion.ts';
import { readIsoTime } from '../iso-time.ts';
import { parseDuration } from '../timers/duration.ts';
import { parseSetting } from './setting.ts';
import type { Setting } from './setting.ts';

export type ConversationCommand =
  | { name: 'set'; setting: Setting }
  | { name: 'notify'; channels: string[] | 'all' }
  /** `team`: the id of a channel, or null for no team. Absent: the team stays. */
  | { name: 'assign'; users: string[]; team?: string | null }
  | { name: 'join' | 'accept' | 'leave' | 'wake' }
  | { name: 'label' | 'unlabel'; label: string }
  /** A time in epoch milliseconds, or a number of milliseconds. */
  | { name: 'snooze'; until: number; isDuration: boolean }
  /** A command that is unknown or for bots has no effect. */
  | { name: 'other' };

type KnownCommand = Exclude<ConversationCommand['name'], 'other'>;

const COMMANDS = Object.keys({
  set: true,
  notify: true,
  assign: true,
  join: true,
  accept: true,
  leave: true,
  snooze: true,
  wake: true,
  label: true,
  unlabel: true,
} satisfies Record<KnownCommand, true>);

/** Returns a hint for an unknown command (spec 6.5). */
export function commandHint({
  type,
  text,
}: {
  type?: string | null | undefined;
  text: string;
}): string | undefined {
  const [, name = ''] = (type === 'command' && /^\/(\S+)/.exec(text)) || [];
  if (name === '' || COMMANDS.includes(name)) return undefined;
  const meant = suggestionFor(name, COMMANDS);
  const known = COMMANDS.map((command) => `/${command}`).join(', ');
  return meant === undefined
    ? `This command is unknown: the message is stored without effect. Known are ${known}.`
    : `This command is unknown: the message is stored without effect. Did you mean /${meant}?`;
}

/**
 * Throws DomainError `unprocessable` for a malformed command, `invalid_request` for an unsafe key.
 */
export function parseCommand({ text, meta }: Pick<MessageDraft, 'text' | 'meta'>): ConversationCommand {
  const [, sign, name, rest = ''] = /^([/>])(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) throw unprocessable('A command is "/" or ">" and a name, then its arguments.');
  if (sign === '>') return { name: 'other' };
  switch (name) {
    case 'set':
      return { name, setting: parseSetting(rest) };
    case 'notify':
      assertValidArguments(name, rest);
      return { name, channels: parseMetaList(meta, { name, key: 'channels' }) ?? 'all' };
    case 'assign':
      assertValidArguments(name, rest);
      return { name, ...parseAssignees(meta) };
    case 'join':
    case 'accept':
    case 'leave':
    case 'wake':
      assertValidArguments(name, rest);
      return { name };
    case 'snooze':
      return { name, ...parseSnooze(rest.trim()) };
    case 'label':
    case 'unlabel':
      return { name, label: parseLabel(rest) };
    default:
      return { name: 'other' };
  }
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  assign: '; meta.users lists the ids of the users, meta.team is the id of a channel',
  notify: '; meta.channels lists the ids of the channels',
};

function assertValidArguments(name: string, rest: string): void {
  if (rest.trim() !== '')
    throw unprocessable(`/${name} takes no argument in its text${ARGUMENTS[name] ?? ''}.`);
}

function parseSnooze(text: string): { until: number; isDuration: boolean } {
  const duration = /^\d+$/.test(text) ? Number(text) : parseDuration(text);
  const until = duration ?? readIsoTime(text);
  if (until !== undefined && !Number.isNaN(until)) return { until, isDuration: duration !== undefined };
  throw unprocessable(
    '/snooze needs a time such as 2026-03-14T09:00Z, or a duration such as PT2H or P1D: /snooze PT2H.',
  );
}

function parseAssignees(meta: MessageDraft['meta']): { users: string[]; team?: string | null } {
  const users = parseMetaList(meta, { name: 'assign', key: 'users' }) ?? [];
  const team: unknown = meta?.['team'];
  if (team === undefined && users.length === 0)
    throw unprocessable('/assign needs meta.users, a list of user ids, or meta.team, the id of a channel.');
  if (team === undefined) return { users };
  if (team !== null && typeof team !== 'string')
    throw unprocessable('The meta.team of /assign must be the id of a channel, or null.');
  return { users, team };
}

function parseMetaList(
  meta: MessageDraft['meta'],
  { name, key }: { name: string; key: string },
): string[] | undefined {
  const listed: unknown = meta?.[key];
  if (listed === undefined || listed === null) return undefined;
  if (Array.isArray(listed) && listed.every((id) => typeof id === 'string')) return [...new Set(listed)];
  throw unprocessable(`The meta.${key} of /${name} must be a list of ids.`);
}
