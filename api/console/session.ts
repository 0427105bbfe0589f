import Type from 'typebox';
import type { Static } from 'typebox';
import { DomainError } from '../../domain/errors.ts';
import { parseFamily } from '../../application/auth/authority.ts';
import { endFamily } from '../../store/accounts/tokens.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import { beginSession } from '../resources/auth/begin-session.ts';
import { refresh } from '../resources/auth/refresh.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import {
  deriveCsrfToken,
  buildExpiredCookie,
  assertCsrfToken,
  buildSessionCookie,
  parseSessionTokens,
} from './session-cookie.ts';
import type { SessionTokens } from './session-cookie.ts';

export const signInInput = Type.Object({
  email: Type.String(),
  password: Type.String(),
  otp: Type.Optional(Type.String()),
});

/**
 * POST /console/session: signs in by password; the tokens are in a cookie (spec 12.1). Only this
 * response has the `csrfToken`.
 */
export async function signIn(
  request: OpenRequest<Static<typeof signInInput>>,
  api: Api,
): Promise<HandlerResult> {
  const tokens = await beginSession(request, api);
  const { family } = parseFamily(await api.authority.jwt.verify(tokens.refreshToken));
  const answer = await buildSessionResult(tokens, api);
  const body = { ...answer.body, csrfToken: deriveCsrfToken(family, api.config.authSecret) };
  return { ...answer, body };
}

/** GET /console/session: whose session the cookie is. */
export async function getSession({ client }: OpenRequest, api: Api): Promise<HandlerResult> {
  return { status: 200, body: await sessionBody(await refreshOwnTokens(client, api), api) };
}

/** PUT /console/session: renews it by its refresh token, as tokens are renewed (spec 3.3). */
export async function renewSession({ client }: OpenRequest, api: Api): Promise<HandlerResult> {
  const { refreshToken } = await refreshOwnTokens(client, api);
  return buildSessionResult(await refresh(api.authority, refreshToken, () => true), api);
}

/** DELETE /console/session: ends it with all its tokens (spec 3.4). */
export async function signOut({ client }: OpenRequest, api: Api): Promise<HandlerResult> {
  const { authority, config } = api;
  const tokens = parseSessionTokens(client.cookies, config);
  const claims = tokens && (await authority.jwt.verify(tokens.refreshToken).catch(() => null));
  if (claims) {
    const { family } = parseFamily(claims);
    assertCsrfToken(client.csrfToken, { family, secret: config.authSecret });
    await endFamily(family);
  }
  authority.forget();
  return { status: 204, headers: { 'Set-Cookie': buildExpiredCookie(config.publicUrl) } };
}

async function buildSessionResult(tokens: SessionTokens, api: Api) {
  const { exp = 0 } = await api.authority.jwt.verify(tokens.refreshToken);
  const cookie = buildSessionCookie(tokens, api.config, new Date(exp * 1000));
  return { status: 200, headers: { 'Set-Cookie': cookie }, body: await sessionBody(tokens, api) };
}

/** The session as its page sees it: no token is in it. */
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
    ...(temporalUiUrl === undefined
      ? {}
      : { temporal: { ui: temporalUiUrl.replace(/\/$/, ''), namespace: temporalNamespace } }),
  };
}

/**
 * The tokens of the cookie, for the page that signed in. Throws DomainError `unauthenticated`
 * without a session, `forbidden` without its `csrfToken`.
 */
async function refreshOwnTokens(
  client: OpenRequest['client'],
  { authority, config }: Api,
): Promise<SessionTokens> {
  const { authSecret: secret } = config;
  const tokens = parseSessionTokens(client.cookies, config);
  const claims = tokens && (await authority.jwt.verify(tokens.refreshToken).catch(() => null));
  if (!tokens || !claims) throw new DomainError('unauthenticated', 'Nobody is signed in here.');
  assertCsrfToken(client.csrfToken, { family: parseFamily(claims).family, secret });
  return tokens;
}
