import { userName } from '../../domain/user.ts';
import { userModel } from './users.ts';
import type { UserDocument } from './users.ts';

/** What somebody who may read a message sees of the user who wrote it (spec 12.2). */
export interface Author {
  id: string;
  name: string;
  role: UserDocument['role'];
  avatar?: string;
}

/** Who wrote, by id, whatever their organization; users who are gone are missing. */
export async function findAuthors(ids: readonly string[]): Promise<Map<string, Author>> {
  if (ids.length === 0) return new Map();
  const found = await userModel.find({ _id: { $in: [...ids] } }).lean<UserDocument[]>();
  return new Map(found.map((user) => [user._id, authorOf(user)]));
}

function authorOf(user: UserDocument): Author {
  const { _id, role, avatar } = user;
  return { id: _id, name: userName(user), role, ...(avatar === undefined ? {} : { avatar }) };
}
