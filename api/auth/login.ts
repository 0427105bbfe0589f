import { normalEmail } from '../../domain/email.ts';
import { DomainError } from '../../domain/errors.ts';
import { lockedUntil, noteLoginFailure } from '../../store/login-failures.ts';
import { findAccount } from '../../store/users.ts';
import type { UserDocument } from '../../store/users.ts';
import { passwordMatches } from './password.ts';

const LOCK_OUT = { most: 10, withinMs: 15 * 60_000 };

const turns = new Map<string, Promise<unknown>>();

/**
 * The user with this email and password. Throws DomainError `unauthenticated`, the same for an unknown email as for a wrong password,
 * and `login_locked` after ten failures in 15 minutes (contract 3).
 */
export function login(given: { email: string; password: string }): Promise<UserDocument> {
  const email = normalEmail(given.email);
  return inTurn(email, () => attempt({ email, password: given.password }));
}

async function attempt({ email, password }: { email: string; password: string }): Promise<UserDocument> {
  const locked = await lockedUntil(email);
  if (locked) throw lockedOut(locked);
  const user = await findAccount({ email });
  const matches = await passwordMatches(user?.passwordHash, password);
  if (user && matches) return user;
  await noteLoginFailure(email, LOCK_OUT);
  throw new DomainError('unauthenticated', 'The email or the password is wrong.');
}

function lockedOut(until: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
  return new DomainError('login_locked', 'Too many failed attempts. Please try again later.', {
    retryAfterSeconds,
  });
}

// One guess at a time for each email: a hundred at once must not all be checked before the first is counted.
async function inTurn<T>(email: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(email) ?? Promise.resolve();
  const mine = before.then(work);
  const settled = mine.catch(() => undefined);
  turns.set(email, settled);
  try {
    return await mine;
  } finally {
    if (turns.get(email) === settled) turns.delete(email);
  }
}
