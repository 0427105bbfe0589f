import { DomainError, invalidRequest, unprocessable } from './errors.ts';

/** Values that identify a contact in its organization (spec 4.4), in the order of the search. */
export const IDENTIFIERS = ['externalId', 'telephone', 'email'] as const;
export type Identifier = (typeof IDENTIFIERS)[number];
export type Identifiers = Partial<Record<Identifier, string | undefined>>;

/** How an upsert finds its contact (spec 5.7). */
export const CONTACT_MATCHES = [...IDENTIFIERS, 'all'] as const;
export type ContactMatch = (typeof CONTACT_MATCHES)[number];

export interface IdentifiedContact extends Identifiers {
  id: string;
}

interface ContactSearch<C> {
  match: ContactMatch | undefined;
  given: Identifiers;
  /** The contact that has the given value, by identifier. */
  holders: Partial<Record<Identifier, C | undefined>>;
}

const PATHS: Record<Identifier, string> = {
  externalId: 'contact.externalId',
  telephone: 'contact.profile.telephone',
  email: 'contact.profile.email',
};

/** Throws DomainError `invalid_request` if the identifier to match by is not given. */
export function assertMatchable(match: ContactMatch | undefined, given: Identifiers): void {
  if (match !== undefined && match !== 'all' && given[match] === undefined) {
    throw invalidRequest(PATHS[match], `is required with match ${match}`);
  }
}

/**
 * Returns the contact of an upsert, or undefined if the upsert creates one. Throws DomainError
 * `conflict` or, for telephone and email of two contacts by default, `unprocessable` (spec 5.7).
 */
export function matchContact<C extends IdentifiedContact>(search: ContactSearch<C>): C | undefined {
  const { match, given, holders } = search;
  const keys = match === undefined || match === 'all' ? IDENTIFIERS : [match];
  const found = keys.map((key) => holders[key]).find((holder) => holder !== undefined);
  const strict = match === 'all' ? IDENTIFIERS : match === undefined ? (['externalId'] as const) : [];
  for (const key of strict) if (found) assertNotOther(key, { found, given, holders });
  for (const key of IDENTIFIERS) {
    const holder = holders[key];
    if (holder && holder.id !== found?.id) throw takenError(key, { holder, found, search });
  }
  return found;
}

// A value that the contact lacks is added.
function assertNotOther<C extends IdentifiedContact>(
  key: Identifier,
  { found, given, holders }: { found: C } & Pick<ContactSearch<C>, 'given' | 'holders'>,
): void {
  const isSame = given[key] === undefined || holders[key]?.id === found.id;
  if (isSame || found[key] === undefined) return;
  throw conflictError(PATHS[key], `the contact that was found has another ${key}`, found.id);
}

function takenError<C extends IdentifiedContact>(
  key: Identifier,
  { holder, found, search: { match, given } }: { holder: C; found: C | undefined; search: ContactSearch<C> },
): DomainError {
  if (match !== undefined || given.externalId !== undefined) {
    return identifierTakenError(key, holder.id, found?.id);
  }
  const ids = `${found?.id ?? ''} and ${holder.id}`;
  return unprocessable(`telephone and email belong to two different contacts: ${ids}`, 'contact.profile');
}

/**
 * `holder`: the id of the contact that has the value, unless that contact is gone. `found`: the
 * contact of the upsert.
 */
export function identifierTakenError(
  key: Identifier,
  holder: string | undefined,
  found?: string,
): DomainError {
  const cure =
    holder === undefined || found === undefined
      ? ''
      : `; the upsert found ${found}: if both are one person, POST /contacts/${found}/merge {"contact":"${holder}"}`;
  return conflictError(PATHS[key], `another contact has this ${key}${cure}`, holder);
}

function conflictError(path: string, message: string, id: string | undefined): DomainError {
  return new DomainError('conflict', `${path}: ${message}`, {
    details: [{ path, message }],
    conflict: id === undefined ? undefined : { resource: 'contacts', id },
  });
}
