import type { Static } from 'typebox';
import { lookupEmail } from '../../../domain/email.ts';
import { invalidRequest, DomainError } from '../../../domain/errors.ts';
import type { HandlerResult, Api, OpenRequest, ApiRequest } from '../../request.ts';
import type { tokenInput, TokenPair } from './schema.ts';
import { assertKnownParameters } from '../../request.ts';
import { endFamily, rotateFamily } from '../../../store/accounts/tokens.ts';
import { findAccount, presentUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { parseFamily } from '../../../application/auth/authority.ts';
import type { Authority } from '../../../application/auth/authority.ts';
import type { Claims } from '../../../application/auth/jwt.ts';
import { familyExpiry, newSerial, createTokenPair, openFamily } from './token-pair.ts';
import { toEventActor } from '../../../domain/events/event-record.ts';
import { eventId } from '../../../domain/events/event-name.ts';
import { publish } from '../../../store/delivery/publish.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import { login } from './login.ts';

/** POST /auth/token (spec 3.3) */
export async function createToken(
  request: OpenRequest<Static<typeof tokenInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { email, password, otp, clientId, refreshToken } = request.body;
  if (refreshToken !== undefined) {
    if (clientId === undefined) throw invalidRequest('clientId', 'is required');
    const owner = lookupEmail(clientId);
    const pair = await refresh(api.authority, refreshToken, (user) => user.email === owner);
    return { status: 200, body: pair };
  }
  if (email === undefined) throw invalidRequest('email', 'is required');
  if (password === undefined) throw invalidRequest('password', 'is required');
  return { status: 200, body: await beginSession({ ...request, body: { email, password, otp } }, api) };
}

/** GET /auth/token?refreshToken= (spec 3.3) */
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

/** POST /auth/logout: other processes reject the tokens within five seconds (spec 3). */
export async function logout(
  { principal: { credential } }: ApiRequest,
  { authority }: Api,
): Promise<HandlerResult> {
  if ('family' in credential) await endFamily(credential.family);
  authority.forget();
  return { status: 204 };
}

/** Exchanges a refresh token for new tokens. A second use ends its family (spec 3.3). */
export async function refresh(
  authority: Authority,
  refreshToken: string,
  belongsTo: (user: UserDocument) => boolean,
): Promise<TokenPair> {
  const claims = await verifyRefreshToken(authority, refreshToken);
  const user = await findAccount({ _id: claims._id });
  if (!user || !belongsTo(user)) throw invalidTokenError();
  const { family, serial } = parseFamily(claims);
  const next = newSerial();
  const rotated = await rotateFamily(family, { serial, next, expiresAt: familyExpiry(user.role) });
  if (!rotated) return endReusedFamily(authority, family);
  return createTokenPair(authority.jwt, user, { family, serial: next });
}

async function verifyRefreshToken(authority: Authority, refreshToken: string): Promise<Claims> {
  const claims = await authority.jwt.verify(refreshToken).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'token_expired') throw error;
    throw invalidTokenError();
  });
  if (claims.grant_type !== 'refresh_token') throw invalidTokenError();
  return claims;
}

async function endReusedFamily(authority: Authority, family: string): Promise<never> {
  await endFamily(family);
  authority.forget();
  throw invalidTokenError();
}

function invalidTokenError(): DomainError {
  return new DomainError('forbidden', 'The refresh token is not valid.');
}

interface Login {
  email: string;
  password: string;
  otp?: string | undefined;
}

/** See spec 3.1. */
export async function beginSession(
  { body: { email, password, otp }, ids, receivedAt, client }: OpenRequest<Login>,
  { authority, config }: Api,
): Promise<TokenPair> {
  const user = await login(
    { email, password, otp, address: client.address },
    createEncryption(config.authSecret),
  );
  const pair = await openFamily(authority.jwt, user);
  await publish(
    {
      id: eventId(ids.newId()),
      name: 'user.login',
      timestamp: receivedAt,
      organization: user.organization,
      actor: toEventActor({ user: user._id, role: user.role }),
      data: { user: presentUser(user) },
    },
    config,
  );
  return pair;
}
