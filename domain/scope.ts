import { DomainError, unprocessable } from './errors.ts';

/** From lowest to highest. Each includes the scopes before it (spec 3.5). */
export const SCOPES = ['guest', 'agent', 'bot', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of users (spec 3.5), not of messages. */
export const USER_ROLES = ['viewer', 'agent', 'bot', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** See spec 3.5. */
export function toScope(role: UserRole): Scope {
  return role === 'viewer' ? 'guest' : role;
}

export function cascade(scope: Scope): Scope[] {
  return SCOPES.slice(0, SCOPES.indexOf(scope) + 1);
}

export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** Returns a 403 error for a caller whose scope is too low (spec 3.5). */
export function insufficientScope(needed: Scope, held: Scope): DomainError {
  return new DomainError('forbidden', `This needs scope ${needed}; you have ${held}.`);
}

export function lowerScope(one: Scope, other: Scope): Scope {
  return includesScope(one, other) ? other : one;
}

export function highestScope(names: readonly string[]): Scope | null {
  return SCOPES.findLast((scope) => names.includes(scope)) ?? null;
}

export function buildPlaceholderEmail({ _id, role }: { _id: string; role: string }): string {
  return `${role}+${_id}@parlance.local`;
}

/** These addresses receive no mail. */
export function isReservedEmail(email: string): boolean {
  return email.endsWith('@parlance.local');
}

export function assertUnreservedEmail(email: string): void {
  if (isReservedEmail(email)) {
    throw unprocessable('is reserved: emails that end in @parlance.local are given by Parlance', 'email');
  }
}

interface UserNames {
  givenName?: string | null | undefined;
  familyName?: string | null | undefined;
  email: string;
}

/** See spec 4.3. */
export function userName(user: UserNames): string {
  const name = givenNames(user);
  return name === '' ? user.email : name;
}

/** Returns an empty text for a contact without a name. */
export function contactName({
  name,
  ...given
}: Omit<UserNames, 'email'> & { name?: string | undefined }): string {
  return name ?? givenNames(given);
}

/** Returns names without the email, which strangers must not see (spec 10.7, 12.2). */
export function givenNames({ givenName, familyName }: Omit<UserNames, 'email'>): string {
  return [givenName, familyName].filter(Boolean).join(' ');
}
