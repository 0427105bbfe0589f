import { listUsers as findUsers } from '../../../store/accounts/users.ts';
import { listAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { users } from './present.ts';
import { userPaths } from './schema.ts';

/** GET /users. */
export function listUsers(request: ApiRequest, api: Api): Promise<Answer> {
  const find = (query: Parameters<typeof findUsers>[1]) => findUsers(request.principal.reach, query);
  return listAnswer(users, request, { api, paths: userPaths, find });
}
