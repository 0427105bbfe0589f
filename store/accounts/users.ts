import Type from 'typebox';
import {
  Email,
  Meta,
  Name,
  OwnedBy,
  Settings,
  Time,
  Url,
  about,
  idOf,
  oneOf,
  text,
} from '../../schema/kinds.ts';
import {
  answerOnly,
  assigned,
  bodyOnly,
  declareRecord,
  internal,
  shownEmpty,
  withDefault,
} from '../../schema/record.ts';
import { defineRecordModel } from '../connection/model.ts';
import { unavailable } from '../../domain/errors.ts';
import { USER_ROLES, userName } from '../../domain/scope.ts';
import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { insertOnce } from '../queries/insert.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import type { Patch } from '../queries/patch.ts';
import { insertInto, moveInto, organizationExists } from '../records/organization-removal.ts';
import type { RecordDocument } from '../connection/model.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

const USER_STATUSES = ['online', 'away', 'offline'] as const;

export const MIN_PASSWORD_CHARACTERS = 10;
export const MAX_PASSWORD_CHARACTERS = 200;

/** See spec 4.3. */
export const userRecord = declareRecord({
  resource: 'users',
  title: 'User',
  description: 'A person or a bot with an account.',
  creates: 'A user to create: a person or a bot.',
  fields: {
    // Derived from names and email (domain/scope.ts). Each write of these must update `name`.
    name: answerOnly(Type.Optional(Type.String())),
    givenName: Type.Optional(about(Name, 'The first name.', 'Grace')),
    familyName: Type.Optional(about(Name, 'The last name.', 'Hopper')),
    // Trimmed and in lower case.
    email: assigned(
      about(
        Email,
        'The email for signing in, unique over all organizations. A missing email is generated, and is the `clientId` of a bot.',
        'grace@example.com',
      ),
    ),
    password: bodyOnly(
      Type.Optional(
        about(
          text({ min: MIN_PASSWORD_CHARACTERS, max: MAX_PASSWORD_CHARACTERS }),
          'The password: 10 to 200 characters. Never returned.',
          'battery horse correct',
        ),
      ),
    ),
    // argon2id in PHC format. Absent: no login by password.
    passwordHash: internal(Type.Optional(Type.String())),
    role: about(
      oneOf(USER_ROLES),
      'The role. A viewer has scope guest. Agent, bot and admin have the scope of that name.',
      'agent',
    ),
    organization: OwnedBy,
    status: assigned(
      about(
        oneOf(USER_STATUSES),
        'The presence of the user. A user with status `offline` counts as offline in every channel.',
      ),
    ),
    // Absent if no status was set: the user may be online in channels.
    statusAt: internal(Type.Optional(Time)),
    avatar: Type.Optional(about(Url, 'A picture.', 'https://example.com/grace.png')),
    settings: shownEmpty(Settings),
    meta: withDefault(Meta, {}),
  },
  patch: {
    // Required when users change their own email or password (spec 3).
    currentPassword: Type.Optional(
      about(
        text({ max: MAX_PASSWORD_CHARACTERS }),
        'The current password. Required when users change their own email or password.',
        'correct horse battery',
      ),
    ),
  },
  answer: {
    id: idOf('users', 'Their id.'),
    name: about(Type.String(), 'The first and last name.', 'Grace Hopper'),
  },
});

export type UserDocument = RecordDocument<typeof userRecord>;

export function presentUser(user: UserDocument): Record<string, unknown> {
  return { ...userRecord.present(user), name: userName(user) };
}

const NAMES = ['givenName', 'familyName', 'email'] as const;
const MAX_TRIES = 20;

export const userModel = defineRecordModel<UserDocument>('User', userRecord, [
  [{ email: 1 }, { unique: true }],
  [{ organization: 1, _id: 1 }],
]);

/**
 * Searches all organizations. Call only for the account that a login, a token, an event or the
 * first start acts as.
 */
export async function findAccount(by: { _id: string } | { email: string }): Promise<UserDocument | null> {
  const user = await userModel.findOne(by).lean<UserDocument>();
  // The check also runs without a user, so that unknown emails take equally long (spec 3.3).
  const exists = await organizationExists(user?.organization ?? '');
  return exists ? user : null;
}

export async function findAnyUser(): Promise<UserDocument | null> {
  return userModel.findOne().lean<UserDocument>();
}

/** Guests see only themselves (spec 4.1). */
export async function findUser(reach: Reach, id: string): Promise<UserDocument | null> {
  if (reach.guest !== undefined && reach.guest !== id) return null;
  return visibleOrNull(reach, await userModel.findById(id).lean<UserDocument>());
}

export async function findUserByEmail(reach: Reach, email: string): Promise<UserDocument | null> {
  if (reach.guest !== undefined) return null;
  return visibleOrNull(reach, await userModel.findOne({ email }).lean<UserDocument>());
}

export async function findUsers(reach: Reach, ids: readonly string[]): Promise<UserDocument[]> {
  const mine = ids.filter((id) => reach.guest === undefined || reach.guest === id);
  const found = await userModel.find({ _id: { $in: mine } }).lean<UserDocument[]>();
  return filterVisible(reach, found);
}

export async function findBotsAlong(
  path: readonly string[],
  ids: readonly string[],
): Promise<{ id: string }[]> {
  if (ids.length === 0) return [];
  const found = await userModel
    .find({ _id: { $in: [...ids] }, role: 'bot', organization: { $in: [...path] } }, { _id: 1 })
    .lean();
  return found.map(({ _id }) => ({ id: _id }));
}

/** See spec 4.6. */
export async function findOffline(ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await userModel
    .find({ _id: { $in: [...ids] }, status: 'offline', statusAt: { $exists: true } }, { _id: 1 })
    .lean();
  return new Set(found.map(({ _id }) => _id));
}

export async function hasOtherAdmin(organization: string, id: string): Promise<boolean> {
  return (await userModel.exists({ organization, role: 'admin', _id: { $ne: id } })) !== null;
}

export async function listUsers(reach: Reach, query: ListQuery): Promise<Page<UserDocument>> {
  const self = reach.guest === undefined ? {} : { _id: reach.guest };
  return findPage(userModel, { organization: { $in: await organizationsWithin(reach) }, ...self }, query);
}

/** Rejects with a duplicate-key error for a taken email, or as `insertInto` does. */
export async function insertUser(user: UserDocument): Promise<void> {
  await insertInto(user.organization, () => insertFirstUser(user), { takeBack: () => takeBack(user) });
}

/** The organization need not exist yet. */
export async function insertFirstUser(user: UserDocument): Promise<void> {
  const named: UserDocument = { ...user, name: userName(user) };
  await insertOnce(userModel, named);
}

async function takeBack({ _id, organization }: Pick<UserDocument, '_id' | 'organization'>): Promise<void> {
  await userModel.deleteOne({ _id, organization });
}

/**
 * Returns null if the user is out of reach or differs from `seen`. Rejects as `insertUser` does.
 */
export async function updateUser(
  reach: Reach,
  id: string,
  patch: Patch<UserDocument>,
  seen?: UserDocument,
): Promise<UserDocument | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const user = await findUser(reach, id);
    if (!user) return null;
    const renamed = NAMES.some((field) => patch[field] !== undefined);
    const same = {
      _id: id,
      organization: user.organization,
      ...(renamed ? unchangedNamesFilter(user) : {}),
      ...unchangedFilter(userModel, seen),
    };
    const whole = renamed ? { ...patch, name: deriveName(user, patch) } : patch;
    const updated = await moveInto(userModel, {
      stored: user,
      patch: whole,
      write: () =>
        userModel
          .findOneAndUpdate(same, toUpdateOperators(whole), { returnDocument: 'after' })
          .lean<UserDocument>(),
    });
    if (updated || seen) return updated;
  }
  throw unavailable();
}

function deriveName(
  user: UserDocument,
  { givenName = user.givenName, familyName = user.familyName, email }: Patch<UserDocument>,
): string {
  return userName({ givenName, familyName, email: email ?? user.email });
}

function unchangedNamesFilter(user: UserDocument): Record<string, object> {
  return Object.fromEntries(
    NAMES.map((field) => [field, user[field] === undefined ? { $exists: false } : { $eq: user[field] }]),
  );
}

export async function removeUser(reach: Reach, id: string): Promise<boolean> {
  const user = await findUser(reach, id);
  if (!user) return false;
  const { deletedCount } = await userModel.deleteOne({ _id: id, organization: user.organization });
  return deletedCount > 0;
}
