import { unprocessable } from './errors.ts'; /** Scopes from the lowest to the highest; each includes those before it (spec 3.5). */
export const SCOPES = ['guest', 'agent', 'bot', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of users (spec 3.5). Not to be confused with the role of a message. */
export const USER_ROLES = ['viewer', 'agent', 'bot', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/**
 * The scope that a user's role gives: a viewer is a guest, the others are called alike (spec 3.5).
 */
export function toScope(role: UserRole): Scope {
  return role === 'viewer' ? 'guest' : role;
}

/**
 * A scope with all that it includes, lowest first, as a token's claim names them: `cascade('bot')`
 * is guest, agent, bot.
 */
export function cascade(scope: Scope): Scope[] {
  return SCOPES.slice(0, SCOPES.indexOf(scope) + 1);
}

/** Whether a holder of one scope may do what needs another. */
export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/**
 * The lower of two scopes: what a token may do is never above what its user's role gives now (spec
 * 3.5).
 */
export function lowerScope(one: Scope, other: Scope): Scope {
  return includesScope(one, other) ? other : one;
}

/**
 * The highest scope that a list names, or null if it names none. Names that are no scopes are
 * ignored.
 */
export function highestScope(names: readonly string[]): Scope | null {
  return SCOPES.findLast((scope) => names.includes(scope)) ?? null;
}

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
interface UserNames {
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
