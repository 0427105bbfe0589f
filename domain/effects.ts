import type { Change, Effect } from './change.ts';
import type { ConversationResult } from './conversation.ts';

type ContactEffect = Extract<Effect, { kind: 'contact' }>;

/** What a change does to the conversation and its contact, in order. */
function effectsOf(change: Change): readonly Effect[] {
  return change.kind === 'processed' || change.kind === 'amended' ? change.effects : [];
}

/** The forms that a change completes. */
export function resultsOf(change: Change): ConversationResult[] {
  return effectsOf(change).flatMap((effect) => (effect.kind === 'result' ? [effect.result] : []));
}

/** What a change does to the profile of the conversation's contact, in order. */
export function contactEffects(change: Change): ContactEffect[] {
  return effectsOf(change).flatMap((effect) => (effect.kind === 'contact' ? [effect] : []));
}

/** What changes set in a contact's profile in the end, by dotted path; null clears. */
export function contactFields(changes: readonly Change[]): Record<string, string | null> {
  return Object.fromEntries(changes.flatMap(contactEffects).map(({ field, value }) => [field, value]));
}

/** A contact's profile after a change of it. */
export function profileAfter(profile: Record<string, unknown>, change: Change): Record<string, unknown> {
  return contactEffects(change).reduce(
    (next, { field, value }) => withPath(next, field.split('.'), value),
    profile,
  );
}

function withPath(
  fields: Record<string, unknown>,
  [first = '', ...rest]: string[],
  value: string | null,
): Record<string, unknown> {
  const { [first]: known, ...others } = fields;
  if (rest.length > 0) {
    const inner = withPath((known ?? {}) as Record<string, unknown>, rest, value);
    return { ...fields, [first]: inner };
  }
  return value === null ? others : { ...fields, [first]: value };
}
