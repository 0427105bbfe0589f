import { MAX_ADDRESS_FIELDS } from '../contact-profile.ts';
import type { Change, Effect } from '../conversations/change.ts';
import type { ConversationResult } from '../conversations/conversation.ts';
import { unprocessable } from '../errors.ts';

type ContactEffect = Extract<Effect, { kind: 'contact' }>;

/** A contact's profile: texts, and objects of texts. */
export type Profile = Readonly<Record<string, unknown>>;

function getEffects(change: Change): readonly Effect[] {
  return change.kind === 'processed' || change.kind === 'amended' ? change.effects : [];
}

export function collectResults(change: Change): ConversationResult[] {
  return getEffects(change).flatMap((effect) => (effect.kind === 'result' ? [effect.result] : []));
}

export function contactEffects(change: Change): ContactEffect[] {
  return getEffects(change).flatMap((effect) => (effect.kind === 'contact' ? [effect] : []));
}

function findOwner(effects: readonly Effect[]): string | undefined {
  return effects.find((effect) => effect.kind === 'owner')?.contact;
}

/** Returns the contact that a conversation without a contact is to get. */
export function findClaimed(effects: readonly Effect[]): string | undefined {
  return findOwner(effects.filter((effect) => effect.kind !== 'owner' || effect.from === undefined));
}

export function findNewOwner(changes: readonly Change[]): string | undefined {
  return findOwner(changes.flatMap(getEffects));
}

/** Returns values by dotted path. Null clears a value. */
export function contactFields(changes: readonly Change[]): Record<string, string | null> {
  return Object.fromEntries(changes.flatMap(contactEffects).map(({ field, value }) => [field, value]));
}

export function profileAfter(profile: Profile, change: Change): Profile {
  return after(profile, contactEffects(change));
}

/**
 * Returns effects by dotted path. With a profile, skips equal fields and throws DomainError
 * `unprocessable` for too many address fields.
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

export function assertAddressFits(before: Profile, after: Profile): void {
  const count = ({ address }: Profile) => Object.keys(address ?? {}).length;
  const has = count(after);
  if (has > MAX_ADDRESS_FIELDS && has > count(before)) {
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
  if (rest.length > 0) return { ...fields, [first]: withPath((known ?? {}) as Profile, rest, value) };
  return value === null ? others : { ...fields, [first]: value };
}
