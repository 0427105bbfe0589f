import type { MessageDraft } from '../messages/message.ts';
import { unprocessable } from '../refusal.ts';
import { parseSetting } from './setting.ts';
import type { Setting } from './setting.ts';

/** A command as its text and meta say it (spec 6.5). */
export type Command =
  | { name: 'set'; setting: Setting }
  | { name: 'notify'; channels: string[] | 'all' }
  | { name: 'assign'; users: string[] }
  | { name: 'join' | 'accept' | 'leave' }
  /** An unknown command, or one addressed to bots: it is stored and told, and does nothing. */
  | { name: 'other' };

/**
 * Reads a command. Throws DomainError `unprocessable` when it is none (it begins with neither `/`
 * nor `>`) or when a known one has wrong arguments, `invalid_request` when `/set` names a key that
 * may not be named.
 */
export function parseCommand({ text, meta }: Pick<MessageDraft, 'text' | 'meta'>): Command {
  const [, sign, name, rest = ''] = /^([/>])(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) throw unprocessable('A command is "/" or ">" and a name, then its arguments.');
  if (sign === '>') return { name: 'other' };
  switch (name) {
    case 'set':
      return { name, setting: parseSetting(rest) };
    case 'notify':
      refuseArguments(name, rest);
      return { name, channels: listedIn(meta, { name, key: 'channels' }) ?? 'all' };
    case 'assign':
      refuseArguments(name, rest);
      return { name, users: assignedIn(meta) };
    case 'join':
    case 'accept':
    case 'leave':
      refuseArguments(name, rest);
      return { name };
    default:
      return { name: 'other' };
  }
}

function refuseArguments(name: string, rest: string): void {
  if (rest.trim() !== '') throw unprocessable(`/${name} has no arguments behind it.`);
}

function assignedIn(meta: MessageDraft['meta']): string[] {
  const users = listedIn(meta, { name: 'assign', key: 'users' });
  if (!users?.length) throw unprocessable('/assign needs meta.users, a list of user ids.');
  return users;
}

function listedIn(
  meta: MessageDraft['meta'],
  { name, key }: { name: string; key: string },
): string[] | undefined {
  const listed: unknown = meta?.[key];
  if (listed === undefined || listed === null) return undefined;
  if (Array.isArray(listed) && listed.every((id) => typeof id === 'string')) return [...new Set(listed)];
  throw unprocessable(`meta.${key} of /${name} must be a list of ids.`);
}
