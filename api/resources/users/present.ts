import type { UserDocument } from '../../../store/accounts/users.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';
import { userName } from '../../../domain/user.ts';

/** A user as the API shows them: the name is derived, the password is never shown (spec 4.3). */
export function presentUser({
  passwordHash,
  statusAt,
  settings = {},
  ...user
}: UserDocument): Record<string, unknown> {
  return { ...shown(user), settings, name: userName(user) };
}

export const users: Resource<UserDocument> = { path: '/users', what: 'The user', present: presentUser };
