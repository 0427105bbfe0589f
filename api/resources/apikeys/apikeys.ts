import type { Static } from 'typebox';
import { signApiKey } from '../../../application/auth/authority.ts';
import { invalidRequest, notFound } from '../../../domain/errors.ts';
import { parseTime } from '../../../domain/query/values.ts';
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
import { Name, Time, TimeInput, about, idOf, madeAndChanged, object, oneOf } from '../../../schema/kinds.ts';

const NAME = 'The purpose of the key.';

export const apiKeyInput = object('ApiKeyInput', 'An API key to create.', {
  name: about(Name, NAME, 'Booking bot'),
  scopes: about(
    Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
    'The scopes of the key. They must not exceed the scope of its user.',
    ['bot'],
  ),
  expiresAt: Type.Optional(
    about(TimeInput, 'The end of the key. Default: the key does not expire.', '2027-01-01T00:00:00.000Z'),
  ),
});

export const apiKeySchema = object('ApiKey', 'An API key. It can be revoked.', {
  id: idOf('apikeys', 'The id of the key.'),
  user: idOf('bots', 'The user of the key.'),
  name: about(Type.String(), NAME, 'Booking bot'),
  scopes: about(Type.Array(oneOf(SCOPES)), 'The scopes of the key.', ['bot']),
  createdBy: idOf('users', 'The user who created the key.'),
  createdAt: madeAndChanged.createdAt,
  expiresAt: Type.Optional(about(Time, 'The end of the key. Absent on a key that does not expire.')),
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
  const { name, scopes } = body;
  const end = readEnd(body, createdAt);
  const key = {
    _id: ids.newId(),
    user: user._id,
    name,
    scopes,
    createdBy: principal.user,
    createdAt,
    ...end,
  };
  const token = await signApiKey(authority.jwt, {
    _id: user._id,
    organization: user.organization,
    scope: cascade(highestScope(body.scopes) ?? 'guest').join(' '),
    jti: key._id,
    iat: Math.floor(createdAt.getTime() / 1000),
    ...(end && { exp: end.expiresAt.getTime() / 1000 }),
  });
  await insertApiKey(key);
  return {
    status: 201,
    body: { ...presentApiKey(key), token },
    once: ['token'],
    headers: { Location: `${config.publicUrl}/v2/users/${user._id}/apikeys/${key._id}` },
  };
}

/** Rounds the end down to a second, because tokens have whole seconds. */
function readEnd({ expiresAt }: Static<typeof apiKeyInput>, now: Date): { expiresAt: Date } | undefined {
  if (expiresAt == null) return undefined;
  const end = new Date(Math.floor(parseTime(expiresAt, 'expiresAt').getTime() / 1000) * 1000);
  if (end <= now) throw invalidRequest('expiresAt', 'must be in the future');
  return { expiresAt: end };
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
