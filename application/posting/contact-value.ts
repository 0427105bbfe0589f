import { assertAddressFits } from '../../domain/effects/contact-effects.ts';
import { parseEmail } from '../../domain/email.ts';
import { DomainError } from '../../domain/errors.ts';
import { findAddress } from '../../store/conversations/contacts.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { findContactByIdentifiers } from './find-or-create-contact.ts';
import { parseTelephone } from './telephone.ts';

/**
 * The value of a contact field as the contact stores it. Throws DomainError where it cannot be
 * stored, `conflict` where another contact of the organization has it.
 */
export async function contactValue(
  { field, value }: { field: string; value: string },
  { organization, contact }: ConversationRef,
): Promise<string> {
  if (field.startsWith('address.')) await assertAddressNotLonger(field, contact);
  if (field !== 'email' && field !== 'telephone') return value;
  const stored =
    field === 'email'
      ? parseEmail(value, field)
      : parseTelephone(value, (await organizationContext(organization))?.country, field);
  const holder = await findContactByIdentifiers(organization, { [field]: stored });
  if (holder && holder._id !== contact) {
    throw new DomainError('conflict', `Another contact of the organization has this ${field}.`);
  }
  return stored;
}

// Asked for in advance, for the caller's sake.
async function assertAddressNotLonger(field: string, contact: string | undefined): Promise<void> {
  const address = contact === undefined ? {} : await findAddress(contact);
  const longer = { ...address, [field.slice('address.'.length)]: '' };
  assertAddressFits({ address }, { address: longer });
}
