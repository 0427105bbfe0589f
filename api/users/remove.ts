import { removeApiKeys } from '../../store/apikeys.ts';
import { removeMember } from '../../store/channels.ts';
import { storeDate } from '../../store/clock.ts';
import { removeOtp } from '../../store/otps.ts';
import { disableServicesOf } from '../../store/service-health.ts';
import { endFamilies } from '../../store/tokens.ts';
import { removeUser as eraseUser, findUser, insertUser } from '../../store/users.ts';
import { removedAnswer } from '../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { unlessLastAdmin } from './last-admin.ts';
import { users } from './present.ts';

/**
 * DELETE /users/{id}. His tokens, API keys and one-time passwords die with him, and he leaves all channels; a bot's services are disabled. The last
 * root admin stays (422).
 */
export async function removeUser(request: ApiRequest, api: Api): Promise<Answer> {
  const { reach } = request.principal;
  const id = request.params['id'] ?? '';
  const user = await findUser(reach, id);
  // Before he is gone: who is told that he is finds nothing of his at work.
  if (user?.role === 'bot') await disableServicesOf(id, storeDate());
  const removed =
    user !== null &&
    (await unlessLastAdmin(user, {
      takeOut: () => eraseUser(reach, id),
      putBack: () => insertUser(user),
    }));
  if (removed) {
    await Promise.all([endFamilies(id), removeApiKeys(id), removeOtp(id), removeMember(id)]);
    api.authority.forget();
  }
  return removedAnswer(users, removed);
}
