import { DomainError, unprocessable } from '../../domain/errors.ts';
import { findContactBy, insertContact } from '../../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../../store/conversations/contacts.ts';
import { isDuplicateKey } from '../../store/queries/insert.ts';
import { listOtherForms } from './telephone.ts';
import { toEventActor } from '../../domain/events/event-record.ts';
import { eventId } from '../../domain/events/event-name.ts';
import { presentContact } from '../presenters/presenters.ts';
import { publish } from '../../store/delivery/publish.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';

const MAX_TRIES = 5;

export interface IdentifierProof {
  /** The contact proved this exact form; other forms do not match. */
  isProved?: boolean;
}

/**
 * Finds by telephone in either form, else by email (spec 5.7). Throws DomainError `unprocessable`
 * if they belong to two contacts.
 */
export async function findContactByIdentifiers(
  organization: string,
  { telephone, email }: Pick<ContactProfile, 'telephone' | 'email'>,
  { isProved = false }: IdentifierProof = {},
): Promise<ContactDocument | null> {
  const forms = telephone === undefined ? [] : [telephone, ...(isProved ? [] : listOtherForms(telephone))];
  const [byEmail, ...byForms] = await Promise.all([
    email === undefined ? null : findContactBy(organization, { email }),
    ...forms.map((form) => findContactBy(organization, { telephone: form })),
  ]);
  const byTelephone = byForms.find((contact) => contact !== null) ?? null;
  if (byTelephone && byEmail && byTelephone._id !== byEmail._id) {
    throw unprocessable('telephone and email belong to two different contacts', 'contact.profile');
  }
  return byTelephone ?? byEmail;
}

/** Keeps the stored telephone if `profile` has another form of it. */
export function keepTelephone(profile: ContactProfile, { profile: stored }: ContactDocument): ContactProfile {
  const telephone = listOtherForms(profile.telephone ?? '').find((form) => form === stored.telephone);
  return telephone === undefined ? profile : { ...profile, telephone };
}

/** Returns the contact of a concurrent request with the same telephone or email, if any. */
export async function findOrCreateContact(
  fresh: ContactDocument,
  proof: IdentifierProof,
): Promise<ContactDocument> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      await insertContact(fresh);
      return fresh;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const other = await findContactByIdentifiers(fresh.organization, fresh.profile, proof);
    if (other) return other;
  }
  throw new DomainError('unavailable', 'The contact is being changed by others. Please try again.');
}

/** Publishes `contact.create`. Idempotent: the event id is stable. */
export async function announceContact(
  contact: ContactDocument,
  { request: { principal }, deps }: { request: Pick<PostingContext, 'principal'>; deps: PostingDeps },
): Promise<void> {
  await publish(
    {
      id: eventId(contact._id),
      name: 'contact.create',
      timestamp: contact.createdAt.toISOString(),
      organization: contact.organization,
      actor: toEventActor(principal),
      data: { contact: presentContact(contact) },
    },
    deps.config,
  );
}
