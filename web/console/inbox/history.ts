import type { TimelineMessage } from './conversation.ts';
import { stripDirection } from '../../components/shown-text.ts';
import { TEXTS } from '../texts.ts';
import { formatMoment, history as WORDS } from './texts.ts';

/** Each returns the name of the record with an id. */
export interface Names {
  nameUser: (id: string) => string;
  nameTeam: (id: string) => string;
}

/** As in domain/messages/rating.ts. */
const RATING_ID = 'rating:';

type Entry = Pick<TimelineMessage, 'type' | 'text' | 'meta' | 'results' | 'externalId'>;

/**
 * Returns the author's action in words without the author, or undefined for a chat, card, postback
 * or mention.
 */
export function describeDeed(message: Entry, names: Names): string | undefined {
  const { type, results = [] } = message;
  const text = stripDirection(message.text).trim();
  switch (type) {
    case 'command':
      return describeCommand(message, text, names);
    case 'field':
      return describeField(text);
    case 'form':
      return text.startsWith('-') ? WORDS.drop(text.slice(1)) : WORDS.open(text.replace(/^\+/, ''));
    case 'results':
      return isRating(message) ? WORDS.rate(text.replace(/\D.*/, '')) : describeResults(results, text);
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

/** The contact rates a conversation. The message has no role (spec 10.11). */
export function isRating({ type, externalId }: Pick<Entry, 'type' | 'externalId'>): boolean {
  return type === 'results' && externalId?.startsWith(RATING_ID) === true;
}

function describeResults(results: NonNullable<Entry['results']>, text: string): string {
  const forms = results.map(({ formName, form }) => WORDS.quote(formName ?? form));
  return WORDS.fill(forms.join(', ') || WORDS.quote(text));
}

function describeCommand({ meta }: Entry, text: string, names: Names): string {
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
      return describeAssignment(meta, names);
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

function describeAssignment(meta: Entry['meta'], { nameUser, nameTeam }: Names): string {
  const team: unknown = meta?.['team'];
  const assignees = [
    ...(typeof team === 'string' ? [nameTeam(team)] : []),
    ...listIds(meta?.['users']).map(nameUser),
  ];
  return assignees.length === 0 ? WORDS.assignNoTeam : WORDS.assign(assignees.join(', '));
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
