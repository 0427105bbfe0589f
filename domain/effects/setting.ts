import type { Effect, SettableField } from '../conversations/change.ts';
import { CONVERSATION_STATUSES } from '../conversations/conversation.ts';
import type { ConversationStatus, ConversationState } from '../conversations/conversation.ts';
import { assertSafeKey } from '../free-form.ts';
import type { MessageFacts, MessageDraft } from '../messages/message.ts';
import { unprocessable } from '../errors.ts';
import { MAX_ADDRESS_KEY, MAX_ADDRESS_VALUE, MAX_PROFILE_CHARACTERS } from '../contact-profile.ts';
import { readFormName, openForm } from './form.ts';

const FIELDS: readonly string[] = ['name', 'category', 'categoryIndex', 'language'] satisfies SettableField[];

/** Null clears the value. */
export type Setting =
  | { kind: 'status'; status: ConversationStatus }
  | { kind: 'field'; field: SettableField; value: string | number | null }
  | { kind: 'meta'; key: string; value: string | null };

/** Parses `<name> <value>` (spec 6.6). Throws DomainError if invalid. */
export function parseSetting(text: string): Setting {
  const [, name, rest = ''] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) throw unprocessable('/set needs a name: /set <name> <value>.');
  const value = rest.trimEnd() || null;
  if (name.startsWith('@')) return propertySetting(name.slice(1), value);
  if (name.startsWith('meta.')) return metaSetting(name.slice('meta.'.length), value);
  return isProperty(name) ? propertySetting(name, value) : metaSetting(name, value);
}

/**
 * Sets category and categoryIndex together: an unlisted category clears categoryIndex. Throws
 * DomainError `unprocessable` for an index outside a list that is not empty.
 */
export function settingEffects(setting: Setting, categories: MessageFacts['categories'] = []): Effect[] {
  if (setting.kind === 'status') return [{ kind: 'status', status: setting.status }];
  if (setting.kind === 'meta') return [{ kind: 'meta', key: setting.key, value: setting.value }];
  const { field, value } = setting;
  if (field === 'category') {
    const index = categories.findIndex(({ name }) => name === value);
    return [setEffect(field, value), setEffect('categoryIndex', index < 0 ? null : index)];
  }
  if (typeof value !== 'number') {
    return field === 'categoryIndex'
      ? [setEffect(field, null), setEffect('category', null)]
      : [setEffect(field, value)];
  }
  if (categories.length > 0 && value >= categories.length) {
    throw unprocessable(
      `The categoryIndex ${value} is out of the organization's list of ${categories.length} categories.`,
    );
  }
  return [setEffect(field, value), setEffect('category', categories[value]?.name ?? null)];
}

interface Categorized {
  category?: string | undefined;
  categoryIndex?: number | undefined;
}

/** Returns the present index: the list may have changed since an index was stored. */
export function findCategoryIndex(
  { category, categoryIndex }: Categorized,
  categories: readonly { name: string }[],
): number | undefined {
  if (category === undefined) return categoryIndex;
  const index = categories.findIndex(({ name }) => name === category);
  // An unlisted category may have an index outside of the list.
  if (index < 0) return (categoryIndex ?? -1) < categories.length ? undefined : categoryIndex;
  return index;
}

/**
 * Returns the effects that set both fields. Null clears a field. A field that is not given follows
 * from the other field. Throws DomainError `unprocessable` for fields that do not match, and as
 * `settingEffects` does.
 */
export function categoryEffects(
  {
    category,
    categoryIndex,
  }: { category?: string | null | undefined; categoryIndex?: number | null | undefined },
  categories: MessageFacts['categories'] = [],
): Effect[] {
  const byIndex =
    categoryIndex === undefined ? [] : settingEffects(field('categoryIndex', categoryIndex), categories);
  if (category === undefined) return byIndex;
  if (categoryIndex === undefined) return settingEffects(field('category', category), categories);
  assertCategoryMatchesIndex({ category, categoryIndex }, categories);
  return [setEffect('categoryIndex', categoryIndex), setEffect('category', category)];
}

// An unlisted category may have any index outside the list.
function assertCategoryMatchesIndex(
  { category, categoryIndex }: { category: string | null; categoryIndex: number | null },
  categories: NonNullable<MessageFacts['categories']>,
): void {
  const named = categoryIndex === null ? undefined : categories[categoryIndex]?.name;
  const listed = categories.some(({ name }) => name === category);
  if (named === undefined ? !listed : named === category) return;
  throw unprocessable(
    `${String(categoryIndex)} is not the index of the category ${JSON.stringify(category)}`,
    'categoryIndex',
  );
}

function field(name: SettableField, value: string | number | null): Setting {
  return { kind: 'field', field: name, value };
}

function setEffect(field: SettableField, value: string | number | null): Effect {
  return { kind: 'set', field, value };
}

function isProperty(name: string): boolean {
  return name === 'status' || FIELDS.includes(name);
}

function propertySetting(name: string, value: string | null): Setting {
  assertSafeKey(name, name);
  if (name === 'status') return { kind: 'status', status: parseStatus(value) };
  if (!FIELDS.includes(name)) {
    throw unprocessable(`/set knows no property "${name}"; it knows status, ${FIELDS.join(', ')}.`);
  }
  const field = name as SettableField;
  return { kind: 'field', field, value: field === 'categoryIndex' ? parseCategoryIndex(value) : value };
}

function metaSetting(key: string, value: string | null): Setting {
  if (key === '') throw unprocessable('/set meta. needs the name of a key.');
  assertSafeKey(key, `meta.${key}`);
  return { kind: 'meta', key, value };
}

function parseStatus(value: string | null): ConversationStatus {
  const status = CONVERSATION_STATUSES.find((one) => one === value);
  if (!status) throw unprocessable(`/set status needs one of ${CONVERSATION_STATUSES.join(', ')}.`);
  return status;
}

function parseCategoryIndex(value: string | null): number | null {
  if (value === null) return null;
  if (!/^\d{1,9}$/.test(value)) throw unprocessable('The categoryIndex must be a whole number, 0 or more.');
  return Number(value);
}

type FieldUpdate =
  | { target: 'form'; form: string; key: string; value: string | null }
  | { target: 'contact'; field: string; value: string | null }
  | { target: 'meta'; key: string; value: string | null };

/**
 * Parses `.<key> <value>` (spec 6). The key names a value of the form in `meta.form`, else a
 * profile field, else a meta key. Throws DomainError if invalid.
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
  const max = part === undefined ? findMaxCharacters(key) : MAX_ADDRESS_VALUE;
  if (max === undefined) return { target: 'meta', key, value };
  if (part !== undefined && part.length > MAX_ADDRESS_KEY) {
    throw unprocessable(`The name of a field of the address has at most ${MAX_ADDRESS_KEY} characters.`);
  }
  if (value !== null && value.length > max)
    throw unprocessable(`The field .${key} has at most ${max} characters.`);
  return { target: 'contact', field: key, value };
}

function findMaxCharacters(field: string): number | undefined {
  return Object.entries(MAX_PROFILE_CHARACTERS).find(([name]) => name === field)?.[1];
}

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
          value: field.value && (draft.facts?.contactValue ?? field.value),
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
