import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { unavailable } from '../../domain/errors.ts';
import type { UserRole } from '../../domain/scope.ts';
import { userName } from '../../domain/scope.ts';
import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { insertOnce } from '../queries/insert.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import type { Patch } from '../queries/patch.ts';
import { insertInto, moveInto, organizationExists } from '../records/organization-removal.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** A user (spec 4.1). */
export interface UserDocument {
  _id: string;
  organization: string;
  givenName?: string;
  familyName?: string;
  /** Derived (domain/scope.ts). Each write of the names or the email must update it. */
  name?: string;
  /** Trimmed and lower-cased; unique over all organizations. */
  email: string;
  /** argon2id in PHC format. Absent: no login by password. */
  passwordHash?: string;
  role: UserRole;
  status: 'online' | 'away' | 'offline';
  /** Absent: the user is shown as offline, and the presence in their channels counts. */
  statusAt?: Date;
  avatar?: string;
  settings?: Meta;
  meta: Meta;
  createdBy?: string;
  createdAt: Date;
  updatedAt: Date;
}

const userSchema = new mongoose.Schema<UserDocument>(
  {
    _id: String,
    organization: String,
    givenName: String,
    familyName: String,
    name: String,
    email: String,
    passwordHash: String,
    role: String,
    status: String,
    statusAt: Date,
    avatar: String,
    settings: mongoose.Schema.Types.Mixed,
    meta: mongoose.Schema.Types.Mixed,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'users', versionKey: false, minimize: false, strict: true },
);

userSchema.index({ email: 1 }, { unique: true });
userSchema.index({ organization: 1, _id: 1 });

const NAMES = ['givenName', 'familyName', 'email'] as const;
const MAX_TRIES = 20;

export const userModel = defineModel<UserDocument>('User', userSchema);

/** Returns the user in any organization, for callers who prove to be this user. */
export async function findAccount(by: { _id: string } | { email: string }): Promise<UserDocument | null> {
  const user = await userModel.findOne(by).lean<UserDocument>();
  // Also runs without a user, so that unknown emails take as long (spec 3.3).
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

export async function findUsers(reach: Reach, ids: readonly string[]): Promise<UserDocument[]> {
  const mine = ids.filter((id) => reach.guest === undefined || reach.guest === id);
  const found = await userModel.find({ _id: { $in: mine } }).lean<UserDocument[]>();
  return filterVisible(reach, found);
}

/** Returns the users whose own status makes them offline everywhere (spec 4.1). */
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

/**
 * Rejects with a duplicate-key error if the email is taken. Throws DomainError `forbidden` if the
 * organization is removed concurrently.
 */
export async function insertUser(user: UserDocument): Promise<void> {
  await insertInto(user.organization, () => insertFirstUser(user), { takeBack: () => takeBack(user) });
}

/** Inserts a user before their organization exists. Rejects as `insertUser` does. */
export async function insertFirstUser(user: UserDocument): Promise<void> {
  const named: UserDocument = { ...user, name: userName(user) };
  await insertOnce(userModel, named);
}

async function takeBack({ _id, organization }: Pick<UserDocument, '_id' | 'organization'>): Promise<void> {
  await userModel.deleteOne({ _id, organization });
}

/**
 * Returns null if the user is not within reach or differs from `seen`. Rejects as `insertUser`
 * does.
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
