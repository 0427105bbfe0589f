import { DomainError } from '../../domain/errors.ts';
import { isDuplicateKey } from '../../store/duplicate-key.ts';

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
