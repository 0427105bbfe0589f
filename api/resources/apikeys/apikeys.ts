import type { Static } from 'typebox';
import { signApiKey } from '../../../application/auth/authority.ts';
import { notFound } from '../../../domain/errors.ts';
import { cascade, highestScope, SCOPES } from '../../../domain/scope.ts';
import {
  insertApiKey,
  listApiKeys as findApiKeys,
  removeApiKey as eraseApiKey,
} from '../../../store/accounts/apikeys.ts';
import { findUser } from '../../../store/accounts/users.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { assertNoParameters } from '../../../domain/query/query-string.ts';
import { createPresenter } from '../../../schema/record.ts';
import Type from 'typebox';
import { Name, Time, about, idOf, madeAndChanged, object, oneOf } from '../../../schema/kinds.ts';

const NAME = 'The purpose of the key.';

export const apiKeyInput = object('ApiKeyInput', 'An API key to create.', {
  name: about(Name, NAME, 'Booking bot'),
  scopes: about(
    Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
    'The scopes of the key. They must not exceed the scope of its user.',
    ['bot'],
  ),
});

export const apiKeySchema = object('ApiKey', 'An API key. It does not expire, and can be revoked.', {
  id: idOf('apikeys', 'The id of the key.'),
  user: idOf('bots', 'The user of the key.'),
  name: about(Type.String(), NAME, 'Booking bot'),
  scopes: about(Type.Array(oneOf(SCOPES)), 'The scopes of the key.', ['bot']),
  createdBy: idOf('users', 'The user who created the key.'),
  createdAt: madeAndChanged.createdAt,
  lastUsedAt: Type.Optional(
    about(Time, 'The time of the last use, to the minute. Absent before the first use.'),
  ),
  token: Type.Optional(
    about(Type.String(), 'The key. Returned only when the key is created.', 'plk_0c9a2f4b'),
  ),
});

/** Omits the token, which no document has (spec 3.6). */
const presentApiKey = createPresenter(apiKeySchema);

/** POST /users/{id}/apikeys (spec 3.6). */
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
    once: ['token'],
    headers: { Location: `${config.publicUrl}/v2/users/${user._id}/apikeys/${key._id}` },
  };
}

export async function listApiKeys({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  const keys = await findApiKeys(user._id);
  return { status: 200, body: keys.map(presentApiKey) };
}

/**
 * DELETE /users/{id}/apikeys/{key}: other processes reject the key within five seconds (spec 3.6).
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
