import { removeApiKeys } from '../../../store/accounts/apikeys.ts';
import { removeMember } from '../../../store/records/channels.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { removeOtp } from '../../../store/accounts/otps.ts';
import { disableServicesOf } from '../../../store/delivery/service-health.ts';
import { endFamilies } from '../../../store/accounts/tokens.ts';
import type { Reach } from '../../../store/queries/reach.ts';
import { removeUser as eraseUser, findUser, insertUser, updateUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { removedAnswer } from '../../records/answers.ts';
import { unlessChanged } from '../../records/unless-changed.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { unlessLastAdmin } from './last-admin.ts';
import { users } from './present.ts';

/**
 * DELETE /users/{id}. Also revokes the user's tokens, API keys and one-time passwords, and removes
 * them from all channels; a bot's services are disabled. The last root admin stays (422).
 */
export async function removeUser(request: ApiRequest, api: Api): Promise<Answer> {
  const { reach } = request.principal;
  const { id } = request;
  const removed = await unlessChanged(
    request,
    { ...users, find: () => findUser(reach, id) },
    async (user, seen) => {
      const takeOut = () => takeAway(user, seen, reach);
      return (await unlessLastAdmin(user, { takeOut, putBack: () => insertUser(user) })) || null;
    },
  );
  if (removed) {
    await Promise.all([endFamilies(id), removeApiKeys(id), removeOtp(id), removeMember(id)]);
    api.authority.forget();
  }
  return removedAnswer(users, removed !== null);
}

async function takeAway(
  { _id, role }: UserDocument,
  seen: UserDocument | undefined,
  reach: Reach,
): Promise<boolean> {
  // One that goes on a condition gets a new tag first: nobody else's holds any more.
  if (seen && !(await updateUser(reach, _id, {}, seen))) return false;
  // Before the user is gone: whoever is told of it finds nothing of theirs at work.
  if (role === 'bot') await disableServicesOf(_id, storeDate());
  return eraseUser(reach, _id);
}
