import { givenNames } from '../../domain/user.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { userModel } from './users.ts';
import type { UserDocument } from './users.ts';

/** What contacts are told of a user: never the email that stands in for a name (spec 10.7). */
export interface PublicAuthor {
  role: UserDocument['role'];
  name?: string;
  avatar?: string;
}

const authors = ttlCache<PublicAuthor | null>({ maxAgeMs: 10_000, max: 10_000, load: loadAuthor });

/** The user as contacts see them, at most ten seconds old; null where there is none any more. */
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
