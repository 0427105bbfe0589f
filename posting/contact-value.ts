import { checkedEmail } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { unprocessable } from '../domain/refusal.ts';
import { findAddress, findContactBy } from '../store/contacts.ts';
import type { ConversationPlace } from '../store/find-conversations.ts';
import { organizationLine } from '../store/organizations.ts';
import { MOST_ADDRESS_FIELDS } from './contact-profile.ts';
import { profileTelephone } from './profile.ts';

/**
 * The value of a contact field as the contact stores it. Throws DomainError where it cannot be stored, `conflict` where another contact
 * of the organization has it.
 */
export async function contactValue(
  { field, value }: { field: string; value: string },
  { organization, contact }: ConversationPlace,
): Promise<string> {
  if (field.startsWith('address.')) await refuseLongAddress(field, contact);
  if (field !== 'email' && field !== 'telephone') return value;
  const stored =
    field === 'email'
      ? checkedEmail(value, field)
      : profileTelephone(value, (await organizationLine(organization))?.country, field);
  const holder = await findContactBy(
    organization,
    field === 'email' ? { email: stored } : { telephone: stored },
  );
  if (holder && holder._id !== contact) {
    throw new DomainError('conflict', `Another contact of the organization has this ${field}.`);
  }
  return stored;
}

async function refuseLongAddress(field: string, contact: string | undefined): Promise<void> {
  const address = contact === undefined ? {} : await findAddress(contact);
  const known = Object.hasOwn(address, field.slice('address.'.length));
  if (!known && Object.keys(address).length >= MOST_ADDRESS_FIELDS) {
    throw unprocessable(`An address has at most ${MOST_ADDRESS_FIELDS} fields.`);
  }
}
