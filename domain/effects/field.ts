import type { Effect } from '../conversations/change.ts';
import { MAX_ADDRESS_KEY, MAX_ADDRESS_VALUE, MAX_PROFILE_CHARACTERS } from '../contact-profile.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import { readFormName, openForm } from './form.ts';
import { assertSafeKey } from '../free-form.ts';
import type { MessageDraft } from '../messages/message.ts';
import { unprocessable } from '../refusal.ts';

/** What a field message sets, and to what: null clears it. */
export type FieldUpdate =
  | { target: 'form'; form: string; key: string; value: string | null }
  | { target: 'contact'; field: string; value: string | null }
  | { target: 'meta'; key: string; value: string | null };

/**
 * Reads a field message, `.<key> <value>` (spec 6). With `meta.form` it sets a value of that form,
 * else a field of the contact's profile where the profile has it, else the conversation's meta.
 * Throws DomainError `unprocessable` for another shape, `invalid_request` for a key that may not be
 * named.
 */
export function parseField(draft: Pick<MessageDraft, 'text' | 'meta'>): FieldUpdate {
  const [, key, rest = ''] = /^\.(\S+)(?:\s+([\s\S]*))?$/.exec(draft.text) ?? [];
  if (key === undefined) throw unprocessable('The text of a field message has the shape ".<field> <value>".');
  const value = rest.trimEnd() || null;
  const form = readFormName(draft);
  if (form !== undefined) {
    assertSafeKey(key, key, { dots: 'allowed' });
    return { target: 'form', form, key, value };
  }
  const [, part] = /^address\.(.*)$/.exec(key) ?? [];
  assertSafeKey(part ?? key, key);
  if (part === '') throw unprocessable('A field of the address has a name: .address.<name> <value>.');
  const max = part === undefined ? maxContactField(key) : MAX_ADDRESS_VALUE;
  if (max === undefined) return { target: 'meta', key, value };
  if (part !== undefined && part.length > MAX_ADDRESS_KEY) {
    throw unprocessable(`The name of a field of the address has at most ${MAX_ADDRESS_KEY} characters.`);
  }
  if (value !== null && value.length > max)
    throw unprocessable(`The field .${key} has at most ${max} characters.`);
  return { target: 'contact', field: key, value };
}

function maxContactField(key: string): number | undefined {
  return Object.hasOwn(MAX_PROFILE_CHARACTERS, key)
    ? MAX_PROFILE_CHARACTERS[key as keyof typeof MAX_PROFILE_CHARACTERS]
    : undefined;
}

/**
 * What a field message does. Throws DomainError `unprocessable` where the form is not open, has no
 * such field, or there is no contact.
 */
export function fieldEffects(state: ConversationState, draft: MessageDraft): Effect[] {
  const field = parseField(draft);
  switch (field.target) {
    case 'form':
      return [formValueEffect(state, draft, field)];
    case 'contact':
      if (!state.contact)
        throw unprocessable(`The field .${field.field} needs a contact, and the conversation has none.`);
      return [
        {
          kind: 'contact',
          field: field.field,
          value: field.value === null ? null : (draft.facts?.contactValue ?? field.value),
        },
      ];
    case 'meta':
      return [{ kind: 'meta', key: field.key, value: field.value }];
  }
}

function formValueEffect(
  state: ConversationState,
  { facts }: MessageDraft,
  { form, key, value }: { form: string; key: string; value: string | null },
): Effect {
  const open = openForm(state, form);
  const keys = facts?.form?.keys ?? [];
  if (keys.length > 0 && !keys.includes(key)) {
    throw unprocessable(`The form "${open.name}" has no field "${key}"; it has ${keys.join(', ')}.`);
  }
  return { kind: 'formValue', form: open.form, key, value };
}
