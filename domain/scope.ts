import { unprocessable } from './errors.ts';

/** From lowest to highest. Each includes the scopes before it (spec 3.5). */
export const SCOPES = ['guest', 'agent', 'bot', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of users (spec 3.5), not of messages. */
export const USER_ROLES = ['viewer', 'agent', 'bot', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** Returns the scope of a role: guest for a viewer, else the scope of the same name (spec 3.5). */
export function toScope(role: UserRole): Scope {
  return role === 'viewer' ? 'guest' : role;
}

/** Returns the scope and all it includes, lowest first: `cascade('bot')` is guest, agent, bot. */
export function cascade(scope: Scope): Scope[] {
  return SCOPES.slice(0, SCOPES.indexOf(scope) + 1);
}

export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** Returns the lower scope: tokens never grant more than the user's current role (spec 3.5). */
export function lowerScope(one: Scope, other: Scope): Scope {
  return includesScope(one, other) ? other : one;
}

/** Returns the highest scope, or null. Unknown names are ignored. */
export function highestScope(names: readonly string[]): Scope | null {
  return SCOPES.findLast((scope) => names.includes(scope)) ?? null;
}

/** Returns the email of a user who has none (spec 4.3). */
export function buildPlaceholderEmail({ _id, role }: { _id: string; role: string }): string {
  return `${role}+${_id}@parlance.local`;
}

/** Throws DomainError `unprocessable` for an email that Parlance reserves for users it creates. */
export function assertUnreservedEmail(email: string): void {
  if (email.endsWith('@parlance.local')) {
    throw unprocessable('is reserved: emails that end in @parlance.local are given by Parlance', 'email');
  }
}

interface UserNames {
  givenName?: string | null | undefined;
  familyName?: string | null | undefined;
  email: string;
}

/** Returns the full name, or the email (spec 4.3). */
export function userName(user: UserNames): string {
  const name = givenNames(user);
  return name === '' ? user.email : name;
}

/** Returns the part of the name that strangers may see (spec 10.7, 12.2). */
export function givenNames({ givenName, familyName }: Omit<UserNames, 'email'>): string {
  return [givenName, familyName].filter(Boolean).join(' ');
}
