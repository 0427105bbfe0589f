import { findUser, findUsers, listUsers } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import type { RecordSource } from '../../records/resource.ts';
import { presentWithSettings } from '../../../domain/shown.ts';
import { userName } from '../../../domain/user.ts';
import { userPaths, userSchema } from './schema.ts';

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
  return { ...presentWithSettings(user, FIELDS), name: userName(user) };
}

export const users: RecordSource<UserDocument, 'users'> = {
  name: 'users',
  schema: userSchema,
  paths: userPaths,
  present: presentUser,
  find: findUser,
  findMany: findUsers,
  list: listUsers,
};
