import { isBlank } from '../../domain/characters.ts';
import { parseEmail } from '../../domain/email.ts';
import { DomainError, notFound, unprocessable } from '../../domain/errors.ts';
import { profileEffects } from '../../domain/effects/contact-effects.ts';
import { eventId } from '../../domain/events/event-name.ts';
import { toEventActor } from '../../domain/events/event-record.ts';
import { assertSafeKeys } from '../../domain/free-form.ts';
import {
  assignConversation,
  contactRecord,
  findContact,
  findContactBy,
  insertContact,
} from '../../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../../store/conversations/contacts.ts';
import { publish } from '../../store/delivery/publish.ts';
import { isDuplicateKey } from '../../store/queries/insert.ts';
import type { Principal } from '../auth/principal.ts';
import type { PostingContext } from './posting-context.ts';
import { listOtherForms, parseTelephone } from './telephone.ts';

const MAX_TRIES = 5;

export async function findReachableContact(
  { reach }: Principal,
  id: string,
  organization: string,
): Promise<ContactDocument> {
  const contact = await findContact(reach, id);
  if (contact?.organization === organization) return contact;
  throw unprocessable('there is no such contact in the organization', 'contact');
}

export interface IdentifierProof {
  /** The contact proved the exact identifier: other forms of it do not match. */
  isProved?: boolean | undefined;
}

/**
 * Finds a contact by telephone, else by email (spec 5.7). Throws DomainError `unprocessable` if
 * telephone and email belong to two contacts.
 */
export async function findContactByIdentifiers(
  organization: string,
  { telephone, email }: Pick<ContactProfile, 'telephone' | 'email'>,
  { isProved = false }: IdentifierProof = {},
): Promise<ContactDocument | null> {
  const forms = telephone === undefined ? [] : [telephone, ...(isProved ? [] : listOtherForms(telephone))];
  const [byEmail, ...byForms] = await Promise.all([
    email === undefined ? null : findContactBy(organization, { 'profile.email': email }),
    ...forms.map((form) => findContactBy(organization, { 'profile.telephone': form })),
  ]);
  const byTelephone = byForms.find((contact) => contact !== null) ?? null;
  if (byTelephone && byEmail && byTelephone._id !== byEmail._id) {
    throw unprocessable('telephone and email belong to two different contacts', 'contact.profile');
  }
  return byTelephone ?? byEmail;
}

export interface NamedContact {
  known: ContactDocument | undefined;
  /** Contact to create if none is known. */
  fresh: ContactDocument | undefined;
  /** Finds the contact of a concurrent request, which has an identifier of `fresh`. */
  find: () => Promise<ContactDocument | null>;
}

interface JoinedContact {
  contact: ContactDocument;
  /** The contact's conversation, which may not be stored yet. */
  conversation: string;
  isNew: boolean;
}

/**
 * Returns the `known` contact, or inserts `fresh` and publishes `contact.create`, or returns the
 * contact of a concurrent request. Assigns `conversation` if the contact has none. Throws
 * DomainError `not_found` for a deleted contact.
 */
export async function joinContact(
  { known, fresh, find }: NamedContact,
  conversation: string,
  context: PostingContext,
): Promise<JoinedContact | undefined> {
  const contact = known ?? (fresh && (await findOrInsert(fresh, find)));
  if (!contact) return undefined;
  const isNew = contact._id === fresh?._id;
  if (isNew) await announceContact(contact, context);
  const assigned = contact.conversation ?? (await assignConversation(contact._id, conversation));
  if (assigned === null) throw notFound('The contact');
  return { contact, conversation: assigned, isNew };
}

async function findOrInsert(fresh: ContactDocument, find: NamedContact['find']): Promise<ContactDocument> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      await insertContact(fresh);
      return fresh;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const other = await find();
    if (other) return other;
  }
  throw new DomainError('unavailable', 'The contact is being changed by others. Please try again.');
}

/** Idempotent: the event id is stable. */
export async function announceContact(
  contact: ContactDocument,
  { principal, deps }: Pick<PostingContext, 'principal' | 'deps'>,
): Promise<void> {
  await publish(
    {
      id: eventId(contact._id),
      name: 'contact.create',
      timestamp: contact.createdAt.toISOString(),
      organization: contact.organization,
      actor: toEventActor(principal),
      data: { contact: contactRecord.present(contact) },
    },
    deps.config,
  );
}

interface ProfileContext {
  country?: string | undefined;
  path?: string;
  /** Values equal to the stored values are not validated again. */
  stored?: ContactProfile;
}

/** Normalizes email and telephone (spec 4.4). `country` is for national numbers. */
export function normalProfile(
  profile: ContactProfile,
  { country, path = 'profile', stored = {} }: ProfileContext,
): ContactProfile {
  const { email, telephone, address } = profile;
  if (address) assertSafeKeys(address, `${path}.address`);
  return {
    ...profile,
    ...(email === undefined || email === stored.email ? {} : { email: parseEmail(email, `${path}.email`) }),
    ...(telephone === undefined || telephone === stored.telephone
      ? {}
      : { telephone: parseTelephone(telephone, country, `${path}.telephone`) }),
  };
}

/** Returns changed fields by dotted path. Ignores the other form of the stored telephone. */
export function changedPaths(stored: ContactProfile, given: ContactProfile): Record<string, string> {
  const { address = {}, ...fields } = given;
  const otherForms = listOtherForms(stored.telephone ?? '');
  const paths = Object.fromEntries([
    ...Object.entries(fields).filter(([, value]) => !otherForms.includes(value)),
    ...Object.entries(address).map(([part, value]) => [`address.${part}`, value] as const),
  ]);
  return Object.fromEntries(profileEffects({ ...stored }, paths).map(({ field, value }) => [field, value]));
}

/** Removes blank texts, which web forms send for empty fields (spec 5.7). */
export function withoutBlanks<T extends object>(fields: T): T {
  const given = Object.entries(fields).filter(([, value]) => typeof value !== 'string' || !isBlank(value));
  return Object.fromEntries(given) as T;
}

export function profileWithoutBlanks({ address, ...fields }: ContactProfile): ContactProfile {
  const parts = withoutBlanks(address ?? {});
  return { ...withoutBlanks(fields), ...(Object.keys(parts).length > 0 ? { address: parts } : {}) };
}
