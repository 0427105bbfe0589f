import { unprocessable } from './refusal.ts';

/** The email of a user who has none of their own (spec 4.3). */
export function buildPlaceholderEmail({ _id, role }: { _id: string; role: string }): string {
  return `${role}+${_id}@parlance.local`;
}

/**
 * Throws DomainError `unprocessable` for an email of the product's own domain. The product gives
 * these emails to the users that it creates itself.
 */
export function assertUnreservedEmail(email: string): void {
  if (email.endsWith('@parlance.local')) {
    throw unprocessable('is reserved: emails that end in @parlance.local are given by Parlance', 'email');
  }
}

/** What a user's name is derived from. */
export interface UserNames {
  givenName?: string | null | undefined;
  familyName?: string | null | undefined;
  email: string;
}

/** A user's given and family name, or the email of a user who has neither (spec 4.3). */
export function userName(user: UserNames): string {
  const name = givenNames(user);
  return name === '' ? user.email : name;
}

/** All of a user's name that strangers see: given and family name (spec 10.7, 12.2). */
export function givenNames({ givenName, familyName }: Omit<UserNames, 'email'>): string {
  return [givenName, familyName].filter(Boolean).join(' ');
}
