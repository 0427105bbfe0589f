import { removeApiKeys } from '../../store/apikeys.ts';
import { removeMember } from '../../store/channels.ts';
import { removeOtp } from '../../store/otps.ts';
import { endFamilies } from '../../store/tokens.ts';
import { removeUser as eraseUser } from '../../store/users.ts';
import { removedAnswer } from '../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { users } from './present.ts';

/** DELETE /users/{id}. His tokens, API keys and one-time passwords die with him, and he leaves all channels. */
export async function removeUser(request: ApiRequest, api: Api): Promise<Answer> {
  const id = request.params['id'] ?? '';
  const removed = await eraseUser(request.principal.reach, id);
  if (removed) {
    await Promise.all([endFamilies(id), removeApiKeys(id), removeOtp(id), removeMember(id)]);
    api.authority.forget();
  }
  return removedAnswer(users, removed);
}
