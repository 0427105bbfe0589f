import { DomainError } from '../../domain/errors.ts';
import { isDuplicateKey } from '../../store/duplicate-key.ts';

/** Runs a write of a contact; an email or telephone that another one has is refused with DomainError `conflict` (contract 2). */
export async function withUniqueIdentifiers<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new DomainError('conflict', 'Another contact of the organization has this email or telephone.', {
      details: [{ path: 'profile', message: 'another contact has this email or telephone' }],
    });
  }
}
