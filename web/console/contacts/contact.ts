import type { Contact, Conversation, Query } from '@parlance/client';
import { hasVisibleText, stripDirection } from '../../components/shown-text.ts';
import { INBOX_WORDS } from '../inbox/texts.ts';
import { words } from './texts.ts';

export interface ListedContact extends Omit<Contact, 'conversation'> {
  conversation?:
    | string
    | ({ id: string } & Partial<Pick<Conversation, 'status' | 'lastMessageAt' | 'lastMessage'>>);
}

type Named = Pick<Contact, 'profile' | 'externalId'> & { createdAt?: string };

/** Names a visitor without a name as the inbox does. */
export function getContactName(contact: Named): string {
  const given = findName(contact);
  if (given !== undefined) return stripDirection(given);
  const { profile, createdAt } = contact;
  return createdAt === undefined ? words.nameless : INBOX_WORDS.visitor(profile.address?.['city'], createdAt);
}

export function isNameless(contact: Named): boolean {
  return findName(contact) === undefined;
}

function findName({ profile, externalId }: Named): string | undefined {
  const full = [profile.givenName, profile.familyName].filter(Boolean).join(' ');
  const names = [profile.name, full, profile.email, profile.telephone, externalId];
  return names.find((one) => one !== undefined && hasVisibleText(one));
}

const SEARCHED = [
  'profile.name',
  'profile.givenName',
  'profile.familyName',
  'profile.email',
  'profile.telephone',
  'externalId',
  'labels',
];

/** A condition for each word. A parameter cannot repeat, so the order of its fields differs. */
export function searchContacts(text: string): Query {
  const isTelephone = /^[+\d][\d\s()./-]{3,}$/.test(text);
  const telephone = isTelephone ? text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '') : '';
  const parts = telephone === '' ? text.split(/\s+/).filter(Boolean) : [telephone];
  return Object.fromEntries(
    parts.slice(0, SEARCHED.length).map((part, at) => {
      const fields = [...SEARCHED.slice(at), ...SEARCHED.slice(0, at)];
      return [fields.join(','), part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')];
    }),
  );
}

/** Returns the values of free-form data by a name such as `order › number`. */
export function listValues(data: object, within: readonly string[] = []): { name: string; value: string }[] {
  return Object.entries(data).flatMap(([key, value]: [string, unknown]) => {
    const path = [...within, Array.isArray(data) ? String(Number(key) + 1) : key];
    if (isPlainList(value)) return [{ name: path.join(' › '), value: value.map(formatValue).join(', ') }];
    if (typeof value === 'object' && value !== null) return listValues(value, path);
    return isEmpty(value) ? [] : [{ name: path.join(' › '), value: formatValue(value) }];
  });
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Formats a text, a number or a boolean. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : isEmpty(value) ? '' : JSON.stringify(value);
}
