import { notFound } from '../../../domain/refusal.ts';
import { removeApiKey as eraseApiKey } from '../../../store/accounts/apikeys.ts';
import { findUser } from '../../../store/accounts/users.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

/**
 * DELETE /users/{id}/apikeys/{key}: refused at once here, within five seconds everywhere (spec
 * 3.6).
 */
export async function removeApiKey(
  { principal, id, params }: ApiRequest,
  { authority }: Api,
): Promise<HandlerResult> {
  const user = await findUser(principal.reach, id);
  if (!user || !(await eraseApiKey(user._id, params['key'] ?? ''))) throw notFound('The API key');
  authority.forget();
  return { status: 204 };
}
