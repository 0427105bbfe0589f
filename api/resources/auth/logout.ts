import { endFamily } from '../../../store/accounts/tokens.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

/**
 * POST /auth/logout: ends the session that asks, with its refresh token; here at once, within five
 * seconds everywhere (spec 3).
 */
export async function logout(
  { principal: { credential } }: ApiRequest,
  { authority }: Api,
): Promise<HandlerResult> {
  if ('family' in credential) await endFamily(credential.family);
  authority.forget();
  return { status: 204 };
}
