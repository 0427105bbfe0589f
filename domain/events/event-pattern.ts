import { didYouMean } from '../suggestion.ts';
import { CONVERSATION_TYPES } from '../conversations/conversation.ts';
import { DomainError } from '../errors.ts';
import type { EventName } from './event-name.ts';
import { RESOURCES } from '../resources.ts';
import type { EventResource } from '../resources.ts';
import { MESSAGE_ROLES, MESSAGE_TYPES, SPOKEN_TYPES } from '../messages/message.ts';

export const CHANGES = ['create', 'update', 'delete'];

/** Words after the operation (spec 7.4). */
const FURTHER: Partial<Record<EventResource, readonly (readonly string[])[]>> = {
  message: [CONVERSATION_TYPES, MESSAGE_TYPES, MESSAGE_ROLES],
  conversation: [CONVERSATION_TYPES],
};

const ANY = '*';
const NO_ROLE = '';

const KINDS: readonly (readonly (readonly string[])[])[] = Object.values(RESOURCES)
  .filter((row) => 'event' in row)
  .map(({ event }: { event: { name: EventResource; also?: readonly string[] } }) => [
    [event.name],
    [...CHANGES, ...(event.also ?? [])],
    ...(FURTHER[event.name] ?? []),
  ]);

/** Throws DomainError `invalid_request` for a pattern that no event matches (spec 7.4). */
export function parsePattern(text: string): string {
  let kinds = KINDS;
  for (const [at, word] of text.split('.').entries()) {
    const possible = new Set(kinds.flatMap((kind) => kind[at] ?? []));
    kinds = kinds.filter((kind) => (word === ANY ? kind[at] : kind[at]?.includes(word)));
    if (kinds.length === 0) throw unmatchableWordError(word, at, [...possible]);
  }
  assertRoleHasType(text);
  return text;
}

/**
 * Parses the name of an example event. Missing words are taken from the event of a contact's chat
 * message in a conversation of type contact. Throws DomainError `invalid_request` for an unknown
 * event.
 */
export function parseEventName(text: string): EventName {
  const words = parsePattern(text).split('.');
  if (words.length < 2 || words.includes(ANY))
    throw new DomainError('invalid_request', 'Expected one event, such as contact.update, without *.');
  const [resource, operation, conversationType = 'contact', type = 'chat', role = 'contact'] = words;
  const name = `${resource}.${operation}`;
  if (resource === 'conversation') return { name, conversationType };
  if (resource !== 'message') return { name };
  const hasRole = SPOKEN_TYPES.some((spoken) => spoken === type);
  return { name: `${name}.${conversationType}.${type}`, role: hasRole ? role : undefined };
}

// `*` also matches messages without a role.
function assertRoleHasType(pattern: string): void {
  const [, , , type = ANY, role = ANY] = pattern.split('.');
  if (type === ANY || role === ANY || SPOKEN_TYPES.some((spoken) => spoken === type)) return;
  throw new DomainError(
    'invalid_request',
    `"${role}" (word 5) matches no event: messages of type ${type} have no role. Only messages of ${SPOKEN_TYPES.join(', ')} have a role.`,
  );
}

function unmatchableWordError(word: string, at: number, possible: readonly string[]): DomainError {
  const rule =
    possible.length > 0 ? `possible are ${possible.join(', ')} and ${ANY}` : 'such events have no more words';
  const hint = didYouMean(word, possible) || '.';
  return new DomainError(
    'invalid_request',
    `"${word.slice(0, 100)}" (word ${at + 1}) matches no event: ${rule}${hint} Expected resource.operation.conversationType.messageType.role.`,
  );
}

/**
 * Treats a shorter pattern as a prefix. `*` matches any word or a missing role, at the end one or
 * more words.
 */
export function matchesPattern(pattern: string, { name, conversationType, role }: EventName): boolean {
  const wanted = pattern.split('.');
  const words = name.split('.');
  if (words[0] === 'message') words.push(role ?? NO_ROLE);
  if (conversationType !== undefined) words.push(conversationType);
  return wanted.length <= words.length && wanted.every((word, at) => word === ANY || word === words[at]);
}
