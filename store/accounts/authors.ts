import { givenNames, userName } from '../../domain/user.ts';
import { visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';
import { userModel } from './users.ts';
import type { UserDocument } from './users.ts';

/** A user who wrote a message, as a reader of the message sees them (spec 12.2). */
export interface MessageAuthor {
  id: string;
  /** Of a user out of reach only the given and the family name: never the email. */
  name?: string;
  /** Of a user within reach. */
  role?: UserDocument['role'];
  avatar?: string;
}

/**
 * The authors of messages by id, whatever their organization; users who are gone are missing. Of
 * users out of reach it has what contacts see.
 */
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
