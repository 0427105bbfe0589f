import type { TimelineMessage } from './conversation.ts';
import { stripDirection } from '../../components/shown-text.ts';
import { TEXTS } from '../texts.ts';
import { formatMoment, history as WORDS } from './texts.ts';

type Entry = Pick<TimelineMessage, 'type' | 'text' | 'meta' | 'results'>;

/**
 * Returns the author's action in words without the author, or undefined for a chat, card, postback
 * or mention. `nameUser` returns the name of the user with an id.
 */
export function describeDeed(message: Entry, nameUser: (id: string) => string): string | undefined {
  const { type, results = [] } = message;
  const text = stripDirection(message.text).trim();
  switch (type) {
    case 'command':
      return describeCommand(message, text, nameUser);
    case 'field':
      return describeField(text);
    case 'form':
      return text.startsWith('-') ? WORDS.drop(text.slice(1)) : WORDS.open(text.replace(/^\+/, ''));
    case 'results':
      return WORDS.fill(
        results.map(({ formName, form }) => WORDS.quote(formName ?? form)).join(', ') || WORDS.quote(text),
      );
    case 'tag':
      return WORDS.tag(text);
    case 'search':
      return WORDS.search(text);
    case 'report':
      return WORDS.report(text);
    case 'status':
      return text;
    default:
      return undefined;
  }
}

function describeCommand({ meta }: Entry, text: string, nameUser: (id: string) => string): string {
  if (text.startsWith('>')) return WORDS.asked(text.slice(1));
  const [, name = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  switch (name) {
    case 'accept':
      return WORDS.take;
    case 'leave':
    case 'join':
    case 'notify':
    case 'wake':
      return WORDS[name];
    case 'assign':
      return WORDS.assign(listIds(meta?.['users']).map(nameUser).join(', '));
    case 'snooze': {
      const at = Date.parse(rest);
      return Number.isNaN(at) ? WORDS.snooze : WORDS.snoozeUntil(formatMoment(rest));
    }
    case 'label':
    case 'unlabel':
      return WORDS[name](rest);
    case 'set':
      return describeSetting(rest);
    default:
      return WORDS.sent(text);
  }
}

function listIds(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((id) => typeof id === 'string') : [];
}

function describeSetting(text: string): string {
  const [, given = '', value = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const name = given.replace(/^@|^meta\./, '');
  const status = name === 'status' && !given.startsWith('meta.') ? WORDS.statuses[value] : undefined;
  return status ?? describeValue(name, value);
}

function describeField(text: string): string {
  const [, name = '', value = ''] = /^\.(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return describeValue(name, value);
}

function describeValue(name: string, value: string): string {
  const shown = TEXTS.fields[name] === undefined ? name : WORDS.inSentence(TEXTS.fields[name]);
  return value === '' ? WORDS.clear(shown) : WORDS.set(shown, value);
}
