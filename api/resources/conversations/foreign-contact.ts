import type { Principal } from '../../../application/auth/principal.ts';
import type { DomainError } from '../../../domain/errors.ts';
import { unprocessable } from '../../../domain/refusal.ts';
import { findContact } from '../../../store/conversations/contacts.ts';

/**
 * Throws DomainError `unprocessable` for a contact that the caller does not see, or of another
 * organization than its conversation would be.
 */
export async function assertReachableContact(
  { reach }: Principal,
  id: string,
  organization: string,
): Promise<void> {
  const contact = await findContact(reach, id);
  if (contact?.organization !== organization) throw unknownContactError();
}

export function unknownContactError(): DomainError {
  return unprocessable('there is no such contact in the organization', 'contact');
}
