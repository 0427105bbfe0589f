/** Scopes from the lowest to the highest; each includes those before it (spec 3.5). */
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
