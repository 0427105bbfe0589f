import type { Static } from 'typebox';
import { signApiKey } from '../../../application/auth/api-key.ts';
import { notFound } from '../../../domain/refusal.ts';
import { cascade, highestScope } from '../../../domain/scope.ts';
import { insertApiKey } from '../../../store/accounts/apikeys.ts';
import { findUser } from '../../../store/accounts/users.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { presentApiKey } from './present.ts';
import type { apiKeyInput } from './schema.ts';

/** POST /users/{id}/apikeys: a token that does not expire, shown in this answer only (spec 3.6). */
export async function createApiKey(
  request: ApiRequest<Static<typeof apiKeyInput>>,
  { authority, config }: Api,
): Promise<HandlerResult> {
  const { principal, id, body, ids, receivedAt } = request;
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  const createdAt = new Date(receivedAt);
  const key = { _id: ids.newId(), user: user._id, ...body, createdBy: principal.user, createdAt };
  const token = await signApiKey(authority.jwt, {
    _id: user._id,
    organization: user.organization,
    scope: cascade(highestScope(body.scopes) ?? 'guest').join(' '),
    jti: key._id,
    iat: Math.floor(createdAt.getTime() / 1000),
  });
  await insertApiKey(key);
  return {
    status: 201,
    body: { ...presentApiKey(key), token },
    headers: { Location: `${config.publicUrl}/v2/users/${user._id}/apikeys/${key._id}` },
  };
}
