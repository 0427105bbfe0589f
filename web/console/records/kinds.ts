import { parseWrittenJson, shortText } from '../parts/written-json.ts';
import { TEXTS } from '../texts.ts';

type InputType = 'text' | 'email' | 'url' | 'password';

export interface RecordField {
  name: string;
  /**
   * `lines`: one text per line. `members`: users with their online status. `categories` and
   * `formFields`: rows, as JSON.
   */
  type:
    | InputType
    | 'long'
    | 'lines'
    | 'json'
    | 'select'
    | 'reference'
    | 'references'
    | 'members'
    | 'categories'
    | 'formFields';
  of?: 'organizations' | 'users' | 'forms';
  required?: boolean;
  options?: readonly string[];
  /** Name of a text. */
  hint?: 'countryHint' | 'ratingFormHint' | 'emailHint' | 'passwordHint' | 'knowledgeHint';
  only?: 'create' | 'change';
}

/** See spec 4.3. */
export interface EditableKind {
  path: 'organizations' | 'orggroups' | 'channels' | 'forms' | 'kbitems' | 'users';
  /** Field that contains the record's name. */
  label: string;
  columns: readonly string[];
  fields: readonly RecordField[];
}

const NAME: RecordField = { name: 'name', type: 'text', required: true };
const META: RecordField = { name: 'meta', type: 'json' };

export const KINDS: readonly [EditableKind, ...EditableKind[]] = [
  {
    path: 'organizations',
    label: 'name',
    columns: ['displayName', 'level'],
    fields: [
      NAME,
      { name: 'displayName', type: 'text' },
      { name: 'parent', type: 'reference', of: 'organizations', only: 'create' },
      { name: 'email', type: 'email' },
      { name: 'url', type: 'url' },
      { name: 'country', type: 'text', hint: 'countryHint' },
      { name: 'logo', type: 'url' },
      { name: 'tags', type: 'lines' },
      { name: 'categories', type: 'categories' },
      {
        name: 'ratingForm',
        type: 'reference',
        of: 'forms',
        only: 'change',
        hint: 'ratingFormHint',
      },
      { name: 'settings', type: 'json' },
      META,
    ],
  },
  {
    path: 'orggroups',
    label: 'name',
    columns: ['organizations'],
    fields: [NAME, { name: 'organizations', type: 'references', of: 'organizations' }, META],
  },
  {
    path: 'channels',
    label: 'name',
    columns: ['members'],
    fields: [NAME, { name: 'members', type: 'members', of: 'users' }, META],
  },
  {
    path: 'forms',
    label: 'name',
    columns: ['type'],
    fields: [
      NAME,
      { name: 'type', type: 'select', options: ['topic', 'static'] },
      { name: 'fields', type: 'formFields' },
      META,
    ],
  },
  {
    path: 'kbitems',
    label: 'title',
    columns: ['language', 'tags'],
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'content', type: 'long', hint: 'knowledgeHint' },
      { name: 'language', type: 'text' },
      { name: 'tags', type: 'lines' },
      META,
    ],
  },
];

export const USERS: EditableKind = {
  path: 'users',
  label: 'name',
  columns: ['role', 'status', 'email'],
  fields: [
    { name: 'givenName', type: 'text' },
    { name: 'familyName', type: 'text' },
    { name: 'role', type: 'select', required: true, options: ['agent', 'bot', 'admin', 'viewer'] },
    { name: 'email', type: 'email', hint: 'emailHint' },
    { name: 'password', type: 'password', hint: 'passwordHint' },
    { name: 'organization', type: 'reference', of: 'organizations', only: 'create' },
    { name: 'status', type: 'select', only: 'change', options: ['online', 'away', 'offline'] },
    { name: 'avatar', type: 'url' },
    { name: 'settings', type: 'json' },
    META,
  ],
};

export type FormValues = Readonly<Record<string, string>>;
export type StoredRecord = Readonly<Record<string, unknown>> & { id: string };

export function toFormValues({ fields }: EditableKind, record?: StoredRecord): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, formatValue(field, record?.[field.name])]));
}

/** Returns only changed fields. An emptied field is null, or an empty list. Throws JsonFault. */
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
  if (type === 'categories' || type === 'formFields') return JSON.stringify(value);
  if (type === 'members')
    return (value as Member[]).map(({ user, online }) => `${user} ${String(online)}`).join('\n');
  return Array.isArray(value) ? value.join('\n') : shortText(value);
}

function parseValue({ name, type }: RecordField, text: string): unknown {
  if (type === 'categories' || type === 'formFields') return text === '' ? [] : JSON.parse(text);
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
