import { parseWrittenJson } from '../parts/written-json.ts';
import { shortText } from '../parts/short-text.ts';
import { TEXTS } from '../texts.ts';

/** Resources that records refer to, which a user chooses by name. */
export type ReferredResource = 'organizations' | 'users';

/** A field of a record, and how it is written. */
export interface RecordField {
  name: string;
  /**
   * `lines`: a list of texts, one on each line. `json`: free-form, or what has parts.
   * `reference`: a record, `references` several, `members` users with whether they are online.
   */
  type:
    | 'text'
    | 'email'
    | 'url'
    | 'password'
    | 'long'
    | 'lines'
    | 'json'
    | 'select'
    | 'reference'
    | 'references'
    | 'members';
  /** Of references. */
  of?: ReferredResource;
  required?: boolean;
  /** Of `select`. */
  options?: readonly string[];
  hint?: string;
  /** Only when it is made, or only when it is changed. */
  only?: 'create' | 'change';
}

/** A kind of plain records: where the API has them, and what one writes of them (spec 4.3). */
export interface EditableKind {
  /** As in the path of the API. */
  path: string;
  title: string;
  one: string;
  /** The field that names a record. */
  label: string;
  /** Shown in the list beside the name. */
  columns: readonly string[];
  fields: readonly RecordField[];
}

const NAME: RecordField = { name: 'name', type: 'text', required: true };
const META: RecordField = { name: 'meta', type: 'json' };

export const KINDS: readonly [EditableKind, ...EditableKind[]] = [
  {
    path: 'organizations',
    ...TEXTS.kinds.organizations,
    label: 'name',
    columns: ['displayName', 'level'],
    fields: [
      NAME,
      { name: 'displayName', type: 'text' },
      { name: 'parent', type: 'reference', of: 'organizations', only: 'create' },
      { name: 'email', type: 'email' },
      { name: 'url', type: 'url' },
      { name: 'country', type: 'text', hint: TEXTS.kinds.countryHint },
      { name: 'logo', type: 'url' },
      { name: 'tags', type: 'lines' },
      { name: 'categories', type: 'json', hint: TEXTS.kinds.categoriesHint },
      { name: 'settings', type: 'json' },
      META,
    ],
  },
  {
    path: 'orggroups',
    ...TEXTS.kinds.orggroups,
    label: 'name',
    columns: ['organizations'],
    fields: [NAME, { name: 'organizations', type: 'references', of: 'organizations' }, META],
  },
  {
    path: 'channels',
    ...TEXTS.kinds.channels,
    label: 'name',
    columns: ['members'],
    fields: [NAME, { name: 'members', type: 'members', of: 'users' }, META],
  },
  {
    path: 'forms',
    ...TEXTS.kinds.forms,
    label: 'name',
    columns: ['type'],
    fields: [
      NAME,
      { name: 'type', type: 'select', options: ['topic', 'static'] },
      { name: 'fields', type: 'json', hint: TEXTS.kinds.fieldsHint },
      META,
    ],
  },
  {
    path: 'kbitems',
    ...TEXTS.kinds.kbitems,
    label: 'title',
    columns: ['language', 'tags'],
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'content', type: 'long' },
      { name: 'language', type: 'text' },
      { name: 'tags', type: 'lines' },
      META,
    ],
  },
];

export const USERS: EditableKind = {
  path: 'users',
  ...TEXTS.kinds.users,
  label: 'name',
  columns: ['role', 'status', 'email'],
  fields: [
    { name: 'givenName', type: 'text' },
    { name: 'familyName', type: 'text' },
    { name: 'role', type: 'select', required: true, options: ['agent', 'bot', 'admin', 'viewer'] },
    { name: 'email', type: 'email', hint: TEXTS.kinds.emailHint },
    { name: 'password', type: 'password', hint: TEXTS.kinds.passwordHint },
    { name: 'organization', type: 'reference', of: 'organizations', only: 'create' },
    { name: 'status', type: 'select', only: 'change', options: ['online', 'away', 'offline'] },
    { name: 'avatar', type: 'url' },
    { name: 'settings', type: 'json' },
    META,
  ],
};

export type FormValues = Readonly<Record<string, string>>;
export type StoredRecord = Readonly<Record<string, unknown>> & { id: string };

/** What is written in the form, from a record. */
export function toFormValues({ fields }: EditableKind, record?: StoredRecord): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, formatValue(field, record?.[field.name])]));
}

/**
 * The body that makes or changes a record: what was changed alone, and null for what was emptied.
 * Throws JsonFault for a text that is no JSON, naming the field.
 */
export function buildBody(
  { fields }: EditableKind,
  values: FormValues,
  before: FormValues,
): Record<string, unknown> {
  const changed = fields.filter(({ name }) => values[name] !== before[name]);
  return Object.fromEntries(
    changed.map((field) => [field.name, parseValue(field, values[field.name] ?? '')]),
  );
}

function formatValue({ type, options, required }: RecordField, value: unknown): string {
  if (value === undefined || value === null) return type === 'select' && required ? (options?.[0] ?? '') : '';
  if (type === 'json') return JSON.stringify(value, null, 2);
  if (type === 'members')
    return (value as Member[]).map(({ user, online }) => `${user} ${String(online)}`).join('\n');
  return Array.isArray(value) ? value.join('\n') : shortText(value);
}

function parseValue({ name, type }: RecordField, text: string): unknown {
  const isList = ['lines', 'references', 'members'].includes(type);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (isList) return type === 'members' ? lines.map(parseMember) : lines;
  if (text.trim() === '' || (type === 'json' && text.trim() === 'null')) return null;
  if (type !== 'json') return text;
  return parseWrittenJson(text, TEXTS.fields[name] ?? name, name);
}

interface Member {
  user: string;
  online: boolean;
}

function parseMember(line: string): Member {
  const [user = '', online] = line.split(' ');
  return { user, online: online === 'true' };
}
