import { rejectDuplicate } from '../../records/unless-taken.ts';

const TAKEN = {
  message: 'Another contact of the organization has this email or telephone.',
  detail: { path: 'profile', message: 'another contact has this email or telephone' },
};

/**
 * Runs a write of a contact; an email or telephone that another one has is refused with DomainError
 * `conflict` (spec 2.4).
 */
export function withUniqueIdentifiers<T>(write: () => Promise<T>): Promise<T> {
  return rejectDuplicate(TAKEN, write);
}
