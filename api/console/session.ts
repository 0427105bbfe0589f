import Type from 'typebox';
import type { Static } from 'typebox';
import { channelTouchpoints } from '../../domain/conversations/touchpoint.ts';
import { DomainError } from '../../domain/errors.ts';
import { parseFamily } from '../../application/auth/authority.ts';
import { endFamily } from '../../store/accounts/tokens.ts';
import { findAccount } from '../../store/accounts/users.ts';
import { findOrganization } from '../../store/records/find-organizations.ts';
import { readChosenLanguage } from '../../domain/languages.ts';
import { beginSession, refresh } from '../resources/auth/tokens.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeJwt } from 'jose';
import { createEncryption } from '../../application/posting/encryption.ts';
import type { TokenPair } from '../resources/auth/schema.ts';

export const signInInput = Type.Object({
  email: Type.String(),
  password: Type.String(),
  otp: Type.Optional(Type.String()),
});

/** POST /console/session: no other response of this path has the `csrfToken` (spec 12.1). */
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

export async function getSession({ client }: OpenRequest, api: Api): Promise<HandlerResult> {
  return { status: 200, body: await sessionBody(await getOwnTokens(client, api), api) };
}

export async function renewSession({ client }: OpenRequest, api: Api): Promise<HandlerResult> {
  const { refreshToken } = await getOwnTokens(client, api);
  return buildSessionResult(await refresh(api.authority, refreshToken, () => true), api);
}

/** DELETE /console/session (spec 3.4) */
export async function signOut({ client }: OpenRequest, api: Api): Promise<HandlerResult> {
  const { authority, config } = api;
  const session = await findSession(client, api);
  if (session) await endFamily(session.family);
  authority.forget();
  return { status: 204, headers: { 'Set-Cookie': buildExpiredCookie(config.publicUrl) } };
}

async function buildSessionResult(tokens: SessionTokens, api: Api) {
  const { exp = 0 } = await api.authority.jwt.verify(tokens.refreshToken);
  const cookie = buildSessionCookie(tokens, api.config, new Date(exp * 1000));
  return { status: 200, headers: { 'Set-Cookie': cookie }, body: await sessionBody(tokens, api) };
}

/** Contains no token. */
async function sessionBody({ token }: SessionTokens, { authority, config }: Api) {
  const { scope, organization, user } = await authority.authenticate(token);
  const claims = await authority.jwt.verify(token);
  const own = await findOrganization({ organization }, organization);
  const language = readChosenLanguage((await findAccount({ _id: user }))?.settings);
  const { temporalUiUrl, temporalNamespace, publicUrl, touchpointCodes } = config;
  return {
    user,
    scope,
    organization: {
      id: organization,
      name: own?.displayName ?? own?.name ?? '',
      ...(own?.logo ? { logo: own.logo } : {}),
    },
    expiresAt: new Date((claims.exp ?? 0) * 1000).toISOString(),
    publicUrl,
    ...(language === undefined ? {} : { language }),
    touchpoints: channelTouchpoints(touchpointCodes),
    temporal: temporalUiUrl && { ui: temporalUiUrl.replace(/\/$/, ''), namespace: temporalNamespace },
  };
}

async function getOwnTokens(client: OpenRequest['client'], api: Api): Promise<SessionTokens> {
  const session = await findSession(client, api);
  if (!session) throw new DomainError('unauthenticated', 'No user is signed in.');
  return session.tokens;
}

/**
 * Returns null without a session. Throws DomainError `forbidden` unless the request has the
 * session's `csrfToken`.
 */
async function findSession(client: OpenRequest['client'], { authority, config }: Api) {
  const tokens = parseSessionTokens(client, config);
  const claims = tokens && (await authority.jwt.verify(tokens.refreshToken).catch(() => null));
  if (!claims) return null;
  const { family } = parseFamily(claims);
  assertCsrfToken(client.csrfToken, { family, secret: config.authSecret });
  return { tokens, family };
}

/** Separator that occurs in no token. */
const BETWEEN = '~';

type SessionTokens = Pick<TokenPair, 'token' | 'refreshToken'>;

interface Deployment {
  publicUrl: string;
  authSecret: string;
}

/** Encrypts the tokens, because servers on other ports of the host receive the cookie, too. */
export function buildSessionCookie(
  { token, refreshToken }: SessionTokens,
  { publicUrl, authSecret }: Deployment,
  expiresAt: Date,
): string {
  const sealed = createCookieEncryption(authSecret).encrypt(`${token}${BETWEEN}${refreshToken}`);
  return formatCookie(Buffer.from(sealed, 'base64').toString('base64url'), { publicUrl, expiresAt });
}

function buildExpiredCookie(publicUrl: string): string {
  return formatCookie('', { publicUrl, expiresAt: new Date(0) });
}

/**
 * Prefers the session of the `csrfToken`: another port of the host may have set a cookie of the
 * same name, with another session.
 */
export function parseSessionTokens(
  { cookies, csrfToken }: Pick<OpenRequest['client'], 'cookies' | 'csrfToken'>,
  { publicUrl, authSecret }: Deployment,
): SessionTokens | null {
  const start = `${cookieName(publicUrl)}=`;
  const encryption = createCookieEncryption(authSecret);
  const found = cookies.split(';').flatMap((one) => {
    const cookie = one.trim();
    if (!cookie.startsWith(start)) return [];
    const sealed = Buffer.from(cookie.slice(start.length), 'base64url').toString('base64');
    const [token, refreshToken] = encryption.decrypt(sealed)?.split(BETWEEN) ?? [];
    return token && refreshToken ? [{ token, refreshToken }] : [];
  });
  const isOwn = ({ refreshToken }: SessionTokens) =>
    isCsrfToken(csrfToken, {
      family: parseFamily(decodeJwt<{ jti: string }>(refreshToken)).family,
      secret: authSecret,
    });
  return found.find(isOwn) ?? found[0] ?? null;
}

export function deriveCsrfToken(family: string, secret: string): string {
  return createHmac('sha256', `csrf ${secret}`).update(family).digest('base64url');
}

export function assertCsrfToken(given: string, session: { family: string; secret: string }): void {
  if (isCsrfToken(given, session)) return;
  throw new DomainError('forbidden', 'A request with the session cookie needs its X-CSRF-Token.');
}

function isCsrfToken(given: string, { family, secret }: { family: string; secret: string }): boolean {
  const [one, other] = [given, deriveCsrfToken(family, secret)].map((text) => Buffer.from(text));
  return one?.length === other?.length && timingSafeEqual(one as Buffer, other as Buffer);
}

function createCookieEncryption(secret: string) {
  return createEncryption(`console ${secret}`);
}

/**
 * Returns a name with port and path, so that deployments on one host have separate cookies. With
 * the prefix `__Host-`, which needs https, browsers accept the cookie from this host alone.
 */
export function cookieName(publicUrl: string): string {
  const { protocol, port, pathname } = new URL(publicUrl);
  const path = pathname.replace(/\/$/, '').replaceAll(/\W+/g, '_').slice(0, 40);
  const [prefix, usualPort] = protocol === 'https:' ? ['__Host-', '443'] : ['', '80'];
  return `${prefix}parlance_session_${port || usualPort}${path}`;
}

function formatCookie(
  value: string,
  { publicUrl, expiresAt }: { publicUrl: string; expiresAt: Date },
): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(publicUrl)}=${value}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Strict${secure}`;
}
