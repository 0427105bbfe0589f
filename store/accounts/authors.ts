import { givenNames, userName } from '../../domain/scope.ts';
import { visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';
import { userModel } from './users.ts';
import type { UserDocument } from './users.ts';
import { ttlCache } from '../queries/ttl-cache.ts';

/** An author as shown to a reader (spec 12.2). */
export interface MessageAuthor {
  id: string;
  /** A user without a name is shown by email, but only to readers within reach. */
  name?: string;
  /** Only for users within reach. */
  role?: UserDocument['role'];
  avatar?: string;
}

/** Includes authors of other organizations. Deleted users are absent. */
export async function findAuthors(reach: Reach, ids: readonly string[]): Promise<Map<string, MessageAuthor>> {
  if (ids.length === 0) return new Map();
  const found = await userModel.find({ _id: { $in: [...ids] } }).lean<UserDocument[]>();
  const authors = await Promise.all(found.map((user) => toMessageAuthor(user, reach)));
  return new Map(authors.map((author) => [author.id, author]));
}

async function toMessageAuthor(user: UserDocument, reach: Reach): Promise<MessageAuthor> {
  const { _id, role, avatar } = user;
  const isWithin = (await visibleOrNull(reach, user)) !== null;
  const name = isWithin ? userName(user) : givenNames(user);
  return {
    id: _id,
    ...(name === '' ? {} : { name }),
    ...(isWithin ? { role } : {}),
    ...(avatar === undefined ? {} : { avatar }),
  };
}

/** Returns names without emails, by user. Deleted users and users without a name are absent. */
export async function findNames(users: readonly string[]): Promise<Map<string, string>> {
  if (users.length === 0) return new Map();
  const found = await userModel
    .find({ _id: { $in: [...users] } }, { givenName: 1, familyName: 1 })
    .lean<Pick<UserDocument, '_id' | 'givenName' | 'familyName'>[]>();
  return new Map(found.map((user) => [user._id, givenNames(user)] as const).filter(([, name]) => name));
}

/** For contacts: the name is never the email (spec 10.7). */
interface PublicAuthor {
  role: UserDocument['role'];
  name?: string;
  avatar?: string;
}

const authors = ttlCache<PublicAuthor | null>({ maxAgeMs: 10_000, max: 10_000, load: loadAuthor });

/** Returns data at most ten seconds old. */
export function findPublicAuthor(user: string): Promise<PublicAuthor | null> {
  return authors.get(user);
}

async function loadAuthor(id: string): Promise<PublicAuthor | null> {
  const found = await userModel
    .findById(id, { role: 1, givenName: 1, familyName: 1, avatar: 1 })
    .lean<Pick<UserDocument, 'role' | 'givenName' | 'familyName' | 'avatar'>>();
  if (!found) return null;
  const { role, avatar } = found;
  const name = givenNames(found);
  return { role, ...(name ? { name } : {}), ...(avatar ? { avatar } : {}) };
}
