import Type from 'typebox';
import { USER_ROLES, userName } from '../../../domain/scope.ts';
import { buildPaths } from '../../listing/paths.ts';
import {
  Address,
  Email,
  Meta,
  Name,
  OwnedBy,
  Owner,
  Settings,
  Url,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  oneOf,
  patchOf,
  shownAs,
  text,
} from '../../../application/schema/kinds.ts';
import { CurrentPassword, MAX_PASSWORD_CHARACTERS } from '../auth/schema.ts';
import { findUser, findUsers, listUsers } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import type { RecordSource } from '../../records/resource.ts';
import { presentWithSettings } from '../../../domain/record-fields.ts';

const USER_STATUSES = ['online', 'away', 'offline'] as const;

const ROLE = 'What they may do: a viewer has scope guest; agent, bot and admin have the scope of that name.';
const EMAIL =
  "What they sign in with; unique over all organizations. Where absent, one is made up, and is a bot's `clientId`.";
const STATUS = 'Whether they are there. Who is `offline` counts as offline in every channel.';

/** See spec 4.3. */
const fields = {
  givenName: Type.Optional(about(Name, 'The first name.', 'Grace')),
  familyName: Type.Optional(about(Name, 'The last name.', 'Hopper')),
  email: Type.Optional(about(Email, EMAIL, 'grace@example.com')),
  password: Type.Optional(
    about(
      text({ min: 10, max: MAX_PASSWORD_CHARACTERS }),
      'The password: 10 to 200 characters. It is never shown.',
      'battery horse correct',
    ),
  ),
  role: about(oneOf(USER_ROLES), ROLE, 'agent'),
  organization: OwnedBy,
  status: Type.Optional(about(oneOf(USER_STATUSES), STATUS)),
  avatar: Type.Optional(about(Url, 'A picture.', 'https://example.com/grace.png')),
  settings: Type.Optional(Settings),
  meta: Type.Optional(Meta),
};

export const userInput = object('UserInput', 'A user to create: a person, or a bot.', fields);

/** `currentPassword` is required for changes of the own email or password (spec 3). */
export const userPatch = named(
  'UserPatch',
  patchOf(
    Type.Object({
      ...fields,
      currentPassword: Type.Optional(
        about(CurrentPassword, 'The present password, of who changes their own email or password.'),
      ),
    }),
    ['role', 'organization'],
  ),
);

const userSchema = object('User', 'Somebody who signs in: a person, or a bot.', {
  id: idOf('users', 'Their id.'),
  organization: Owner,
  name: about(Type.String(), 'First and last name together.', 'Ada Lovelace'),
  givenName: Type.Optional(about(Type.String(), 'The first name.', 'Ada')),
  familyName: Type.Optional(about(Type.String(), 'The last name.', 'Lovelace')),
  email: shownAs('email', about(Type.String(), EMAIL, 'ada@example.com')),
  role: about(oneOf(USER_ROLES), ROLE, 'agent'),
  status: about(oneOf(USER_STATUSES), STATUS),
  avatar: Type.Optional(about(Address, 'A picture.', 'https://example.com/ada.png')),
  settings: Settings,
  meta: Meta,
  ...madeAndChanged,
});

/** Fields that queries may use. */
const userPaths = buildPaths(userSchema);

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

/** Never shows the password (spec 4.3). */
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
