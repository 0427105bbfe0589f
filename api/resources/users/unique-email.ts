import { rejectDuplicate } from '../../records/unless-taken.ts';

const TAKEN = {
  message: 'Another user has this email.',
  detail: { path: 'email', message: 'another user has it' },
};

/**
 * Runs a write of a user; an email that another one has is refused with DomainError `conflict`
 * (spec 2.4).
 */
export function withUniqueEmail<T>(write: () => Promise<T>): Promise<T> {
  return rejectDuplicate(TAKEN, write);
}
