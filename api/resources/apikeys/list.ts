import { notFound } from '../../../domain/refusal.ts';
import { listApiKeys as findApiKeys } from '../../../store/accounts/apikeys.ts';
import { findUser } from '../../../store/accounts/users.ts';
import { assertNoParameters } from '../../../domain/query/pairs.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { presentApiKey } from './present.ts';

/** GET /users/{id}/apikeys: all keys of a user that were not revoked, without their tokens. */
export async function listApiKeys({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  const keys = await findApiKeys(user._id);
  return { status: 200, body: keys.map(presentApiKey) };
}
