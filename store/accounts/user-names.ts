import { userName } from '../../domain/user.ts';
import { inBatches } from '../queries/batches.ts';
import { sameNames, userModel } from './users.ts';
import type { UserDocument } from './users.ts';

/**
 * Gives users of earlier releases, which kept none, their derived name to be found by. Repeatable;
 * resolves to whether it came to the end before `goesOn` said no.
 */
export async function nameUsers(goesOn: () => boolean): Promise<boolean> {
  const filter = { name: { $exists: false } };
  return inBatches<UserDocument>(userModel, { filter, goesOn, visit: name });
}

// Who was changed meanwhile has a name by now.
async function name(user: UserDocument): Promise<void> {
  await userModel.collection.updateOne(
    { _id: user._id, ...sameNames(user) },
    { $set: { name: userName(user) } },
  );
}
