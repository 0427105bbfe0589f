import { CONVERSATION_TYPES } from './conversation.ts';
import { DomainError } from './errors.ts';
import type { EventName } from './event.ts';
import { MESSAGE_ROLES, MESSAGE_TYPES } from './message.ts';

const CHANGES = ['create', 'update', 'delete'];

/** What each word of an event of a resource may be (spec 7.4). A message has its role as fifth word, for patterns only. */
const GRAMMAR: Record<string, readonly (readonly string[])[]> = {
  message: [CHANGES, CONVERSATION_TYPES, MESSAGE_TYPES, MESSAGE_ROLES],
  conversation: [CHANGES, CONVERSATION_TYPES],
  contact: [CHANGES],
  user: [[...CHANGES, 'login']],
  organization: [CHANGES],
  orggroup: [CHANGES],
  form: [CHANGES],
  channel: [CHANGES],
  service: [[...CHANGES, 'error']],
  eventtype: [CHANGES],
  kbitem: [CHANGES],
};

const ANY = '*';
const NO_ROLE = '';

/**
 * The pattern as it is stored. Throws DomainError `invalid_request` for one that no event could ever match, so that a typing
 * error is heard of at once and not by silence (spec 7.4).
 */
export function parsePattern(text: string): string {
  const words = text.split('.');
  const matchable = Object.entries(GRAMMAR).some(
    ([resource, rest]) =>
      words.length <= rest.length + 1 &&
      words.every(
        (word, at) => word === ANY || (at === 0 ? word === resource : rest[at - 1]?.includes(word)),
      ),
  );
  if (matchable) return text;
  throw new DomainError(
    'invalid_request',
    `"${text.slice(0, 100)}" is no event pattern: expected resource.operation.conversationType.messageType.role, each word an existing one or *.`,
  );
}

/**
 * Whether a pattern that `parsePattern` accepted matches an event, word by word: `*` is one word, a trailing `*` one or more, and a
 * shorter pattern is a prefix. `*` as role also matches messages of types that have no role.
 */
export function matchesPattern(pattern: string, { name, conversationType, role }: EventName): boolean {
  const wanted = pattern.split('.');
  const words = name.split('.');
  if (words[0] === 'message') words.push(role ?? NO_ROLE);
  if (conversationType !== undefined) words.push(conversationType);
  return wanted.length <= words.length && wanted.every((word, at) => word === ANY || word === words[at]);
}
