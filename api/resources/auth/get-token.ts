import { invalidRequest } from '../../../domain/refusal.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { assertKnownParameters } from '../../pipeline/other-parameters.ts';
import { refresh } from './refresh.ts';

/** GET /auth/token?refreshToken=: a refresh while the access token is still good (spec 3.3). */
export async function getToken(
  { principal, querystring }: ApiRequest,
  { authority }: Api,
): Promise<HandlerResult> {
  const query = [...new URLSearchParams(querystring)];
  assertKnownParameters(
    query.map(([name]) => name),
    ['refreshToken'],
  );
  const [given, repeated] = query;
  if (!given?.[1]) throw invalidRequest('refreshToken', 'is required');
  if (repeated) throw invalidRequest('refreshToken', 'must not be repeated');
  return { status: 200, body: await refresh(authority, given[1], ({ _id }) => _id === principal.user) };
}
