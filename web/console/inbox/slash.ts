import { INBOX_WORDS } from './texts.ts';

export const ACCEPT = '/accept';
export const CLOSE = '/set @status closed';

export type Slash = { command: string } | { refusal: string };

/** Words of the buttons, for agents who type them. */
const ALIASES: Readonly<Record<string, string>> = {
  take: ACCEPT,
  reopen: ACCEPT,
  close: CLOSE,
};

const PLAIN = ['accept', 'leave', 'join', 'notify', 'wake'];
const WITH_ARGUMENTS = ['set', 'snooze', 'label', 'unlabel'];

/** Returns undefined for a text that is sent as written. */
export function parseSlash(text: string): Slash | undefined {
  const [, name, rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined) return text.startsWith('/') ? { refusal: INBOX_WORDS.noCommand('') } : undefined;
  const alias = rest === '' ? ALIASES[name] : undefined;
  if (alias !== undefined) return { command: alias };
  if (name === 'assign') return { refusal: INBOX_WORDS.assignByButton };
  if (WITH_ARGUMENTS.includes(name) || (PLAIN.includes(name) && rest === '')) return { command: text };
  return { refusal: INBOX_WORDS.noCommand(name) };
}
