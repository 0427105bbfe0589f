import Type from 'typebox';
import type { Static } from 'typebox';
import { DomainError } from '../../domain/errors.ts';
import { familyOf } from '../../auth/authority.ts';
import { endFamily } from '../../store/accounts/tokens.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import { beginSession } from '../resources/auth/begin-session.ts';
import { refresh } from '../resources/auth/refresh.ts';
import type { Answer, Api, OpenRequest } from '../request.ts';
import { csrfToken, endedCookie, sessionCookie, sessionTokens } from './session-cookie.ts';
import type { SessionTokens } from './session-cookie.ts';

export const signInInput = Type.Object({
  email: Type.String(),
  password: Type.String(),
  otp: Type.Optional(Type.String()),
});

/** POST /console/session: signs in by password; the tokens are in a cookie (spec 12.1). */
export async function signIn(request: OpenRequest<Static<typeof signInInput>>, api: Api): Promise<Answer> {
  return opened(await beginSession(request, api), api);
}

/** GET /console/session: whose session the cookie is, and what requests with it have to send. */
export async function getSession({ client }: OpenRequest, api: Api): Promise<Answer> {
  return { status: 200, body: await sessionBody(tokensOf(client.cookies), api) };
}

/** PUT /console/session: renews it by its refresh token, as tokens are renewed (spec 3.3). */
export async function renewSession({ client }: OpenRequest, api: Api): Promise<Answer> {
  const { refreshToken } = tokensOf(client.cookies);
  return opened(await refresh(api.authority, refreshToken, () => true), api);
}

/** DELETE /console/session: ends it with all its tokens (spec 3.4). */
export async function signOut({ client }: OpenRequest, { authority, config }: Api): Promise<Answer> {
  const tokens = sessionTokens(client.cookies);
  const claims = tokens && (await authority.jwt.verify(tokens.refreshToken).catch(() => null));
  if (claims) await endFamily(familyOf(claims).family);
  authority.forget();
  return { status: 204, headers: { 'Set-Cookie': endedCookie(config.publicUrl) } };
}

async function opened(tokens: SessionTokens, api: Api): Promise<Answer> {
  const { exp = 0 } = await api.authority.jwt.verify(tokens.refreshToken);
  const until = { publicUrl: api.config.publicUrl, expiresAt: new Date(exp * 1000) };
  return {
    status: 200,
    headers: { 'Set-Cookie': sessionCookie(tokens, until) },
    body: await sessionBody(tokens, api),
  };
}

/** What the console's page may know of its session: no token is in it. */
async function sessionBody({ token }: SessionTokens, { authority, config }: Api) {
  const { scope, organization, user } = await authority.authenticate(token);
  const claims = await authority.jwt.verify(token);
  const own = await findOrganization({ organization }, organization);
  const { temporalUiUrl, temporalNamespace } = config;
  return {
    user,
    scope,
    organization: { id: organization, name: own?.displayName ?? own?.name ?? '' },
    expiresAt: new Date((claims.exp ?? 0) * 1000).toISOString(),
    csrfToken: csrfToken(familyOf(claims).family, config.authSecret),
    ...(temporalUiUrl === undefined
      ? {}
      : { temporal: { ui: temporalUiUrl.replace(/\/$/, ''), namespace: temporalNamespace } }),
  };
}

function tokensOf(cookies: string): SessionTokens {
  const tokens = sessionTokens(cookies);
  if (!tokens) throw new DomainError('unauthenticated', 'Nobody is signed in here.');
  return tokens;
}
