import Type from 'typebox';
import { USER_ROLES } from '../../../domain/scope.ts';
import { pathsOf } from '../../listing/paths.ts';
import { Email, Id, Meta, Name, Reference, Time, Url, oneOf, patchOf, text } from '../../../schema/kinds.ts';
import { CurrentPassword, MAX_PASSWORD_CHARACTERS } from '../auth/schema.ts';

const USER_STATUSES = ['online', 'away', 'offline'] as const;

/** What a caller says of a user (spec 4.3). */
const fields = {
  givenName: Type.Optional(Name),
  familyName: Type.Optional(Name),
  email: Type.Optional(Email),
  password: Type.Optional(text({ min: 10, max: MAX_PASSWORD_CHARACTERS })),
  role: oneOf(USER_ROLES),
  organization: Type.Optional(Reference),
  status: Type.Optional(oneOf(USER_STATUSES)),
  avatar: Type.Optional(Url),
  settings: Type.Optional(Meta),
  meta: Type.Optional(Meta),
};

export const userInput = Type.Object(fields);

/** Who changes their own email or password says the current one (spec 3). */
export const userPatch = patchOf(
  Type.Object({ ...fields, currentPassword: Type.Optional(CurrentPassword) }),
  ['role', 'organization'],
);

/** A user as the API shows them. */
export const userSchema = Type.Object({
  id: Id,
  organization: Id,
  name: Type.String(),
  givenName: Type.Optional(Type.String()),
  familyName: Type.Optional(Type.String()),
  email: Type.String(),
  role: oneOf(USER_ROLES),
  status: oneOf(USER_STATUSES),
  avatar: Type.Optional(Type.String()),
  settings: Meta,
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});

/** The fields of users that queries may name. */
export const userPaths = pathsOf(userSchema);
