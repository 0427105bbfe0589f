import { findUser } from '../../../store/accounts/users.ts';
import { foundAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { users } from './present.ts';

/** GET /users/{id}. */
export function getUser(request: ApiRequest, api: Api): Promise<Answer> {
  return foundAnswer(users, request, () => findUser(request.principal.reach, request.id), api);
}
