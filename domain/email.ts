import { invalidRequest } from './refusal.ts';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** An email as it is stored and compared, over all letters' cases (spec 2.4). */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The same of what a body gives at `path`. Throws DomainError `invalid_request` for what is no
 * email.
 */
export function checkedEmail(given: string, path: string): string {
  const email = normalEmail(given);
  if (!EMAIL.test(email)) throw invalidRequest(path, 'must be an email address');
  return email;
}
