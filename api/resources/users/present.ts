import type { UserDocument } from '../../../store/accounts/users.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';
import { userName } from '../../../domain/user.ts';

const FIELDS = [
  'organization',
  'givenName',
  'familyName',
  'email',
  'role',
  'status',
  'avatar',
  'settings',
  'meta',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

/** A user as the API shows them: the name is derived, the password is never shown (spec 4.3). */
export function presentUser(user: UserDocument): Record<string, unknown> {
  return { settings: {}, ...shown(user, FIELDS), name: userName(user) };
}

export const users: Resource<UserDocument> = { path: '/users', what: 'The user', present: presentUser };
