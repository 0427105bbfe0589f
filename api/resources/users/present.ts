import type { UserDocument } from '../../../store/accounts/users.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';

/** A user as the API shows him: his name is derived, his password is never shown (spec 4.3). */
export function presentUser({ passwordHash, statusAt, ...user }: UserDocument): Record<string, unknown> {
  const name = [user.givenName, user.familyName].filter(Boolean).join(' ');
  return { ...shown(user), name: name === '' ? user.email : name };
}

export const users: Resource<UserDocument> = { path: '/users', what: 'The user', present: presentUser };
