import { normalEmail } from '../../domain/email.ts';
import { DomainError } from '../../domain/errors.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { isDuplicateKey } from '../../store/duplicate-key.ts';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** A user's email as it is stored. Throws DomainError `invalid_request` for what is none. */
export function userEmail(given: string): string {
  const email = normalEmail(given);
  if (!EMAIL.test(email)) throw invalidRequest('email', 'must be an email address');
  return email;
}

/** Runs a write of a user; an email that another one has is refused with DomainError `conflict` (contract 2). */
export async function withUniqueEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new DomainError('conflict', 'Another user has this email.', {
      details: [{ path: 'email', message: 'another user has it' }],
    });
  }
}
