import { MAX_ADDRESS_FIELDS } from '../contact-profile.ts';
import type { Change, Effect } from '../conversations/change.ts';
import type { ConversationResult } from '../conversations/conversation.ts';
import { unprocessable } from '../errors.ts';

type ContactEffect = Extract<Effect, { kind: 'contact' }>;

/**
 * A contact's profile, of which the rules know only that it is made of texts, and of texts by name.
 */
export type Profile = Readonly<Record<string, unknown>>;

/** What a change does to the conversation and its contact, in order. */
function getEffects(change: Change): readonly Effect[] {
  return change.kind === 'processed' || change.kind === 'amended' ? change.effects : [];
}

/** The forms that a change completes. */
export function collectResults(change: Change): ConversationResult[] {
  return getEffects(change).flatMap((effect) => (effect.kind === 'result' ? [effect.result] : []));
}

/** What a change does to the profile of the conversation's contact, in order. */
export function contactEffects(change: Change): ContactEffect[] {
  return getEffects(change).flatMap((effect) => (effect.kind === 'contact' ? [effect] : []));
}

/** The contact that effects give a conversation, if they do. */
export function findOwner(effects: readonly Effect[]): string | undefined {
  return effects.find((effect) => effect.kind === 'owner')?.contact;
}

/** The contact that changes give a conversation, if they do. */
export function findNewOwner(changes: readonly Change[]): string | undefined {
  return findOwner(changes.flatMap(getEffects));
}

/** What changes set in a contact's profile in the end, by dotted path; null clears. */
export function contactFields(changes: readonly Change[]): Record<string, string | null> {
  return Object.fromEntries(changes.flatMap(contactEffects).map(({ field, value }) => [field, value]));
}

/** A contact's profile after a change of it. */
export function profileAfter(profile: Profile, change: Change): Profile {
  return after(profile, contactEffects(change));
}

/**
 * The effects of giving fields of a profile a value, by dotted path: those that it does not have
 * yet, where the profile is known. Throws DomainError `unprocessable` where the address would have
 * more fields than it may.
 */
export function profileEffects(
  profile: Profile | undefined,
  given: Record<string, string>,
): (ContactEffect & { value: string })[] {
  const effects = Object.entries(given)
    .filter(([field, value]) => !profile || valueAt(profile, field) !== value)
    .map(([field, value]) => ({ kind: 'contact' as const, field, value }));
  if (profile) assertAddressFits(profile, after(profile, effects));
  return effects;
}

/** Throws DomainError `unprocessable` where an address grows beyond the fields it may have. */
export function assertAddressFits(before: Profile, after: Profile): void {
  const [had, has] = [before, after].map(({ address }) => Object.keys(address ?? {}).length) as [
    number,
    number,
  ];
  if (has > MAX_ADDRESS_FIELDS && has > had) {
    throw unprocessable(`An address has at most ${MAX_ADDRESS_FIELDS} fields.`);
  }
}

function after(profile: Profile, effects: readonly ContactEffect[]): Profile {
  return effects.reduce((next, { field, value }) => withPath(next, field.split('.'), value), profile);
}

function valueAt(profile: Profile, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Profile | undefined)?.[name], profile);
}

function withPath(fields: Profile, [first = '', ...rest]: string[], value: string | null): Profile {
  const { [first]: known, ...others } = fields;
  if (rest.length > 0) {
    const inner = withPath((known ?? {}) as Profile, rest, value);
    return { ...fields, [first]: inner };
  }
  return value === null ? others : { ...fields, [first]: value };
}
