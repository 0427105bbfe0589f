import { DomainError } from '../domain/errors.ts';
import { unprocessable } from '../domain/refusal.ts';
import { findContactBy, insertContact } from '../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../store/conversations/contacts.ts';
import { isDuplicateKey } from '../store/queries/duplicate-key.ts';

const MAX_TRIES = 5;

/**
 * The organization's contact with this telephone, else with this email (spec 5). Throws DomainError
 * `unprocessable` where they belong to two different contacts.
 */
export async function contactByIdentifiers(
  organization: string,
  { telephone, email }: ContactProfile,
): Promise<ContactDocument | null> {
  const [byTelephone, byEmail] = await Promise.all([
    telephone === undefined ? null : findContactBy(organization, { telephone }),
    email === undefined ? null : findContactBy(organization, { email }),
  ]);
  if (byTelephone && byEmail && byTelephone._id !== byEmail._id) {
    throw unprocessable('telephone and email belong to two different contacts', 'contact.profile');
  }
  return byTelephone ?? byEmail;
}

/**
 * The contact as it was stored, or the one that somebody else has stored meanwhile with the same
 * telephone or email.
 */
export async function findOrCreateContact(fresh: ContactDocument): Promise<ContactDocument> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      await insertContact(fresh);
      return fresh;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const other = await contactByIdentifiers(fresh.organization, fresh.profile);
    if (other) return other;
  }
  throw new DomainError('unavailable', 'The contact is being changed by others. Please try again.');
}
