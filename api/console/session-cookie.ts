import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import type { TokenPair } from '../resources/auth/schema.ts';

/** No token contains it: it separates the two in the sealed value. */
const BETWEEN = '~';

/** The tokens that the console's cookie keeps. */
export type SessionTokens = Pick<TokenPair, 'token' | 'refreshToken'>;

/** The variables that name and seal the cookie of a deployment. */
interface Deployment {
  publicUrl: string;
  authSecret: string;
}

/**
 * The `Set-Cookie` header that begins or renews a session of the console (spec 12.1): no script
 * reads it, and no other site's request carries it. A server on another port of the same host does
 * receive it, so its tokens are encrypted: the value is no bearer token. It lives as long as its
 * refresh token.
 */
export function buildSessionCookie(
  { token, refreshToken }: SessionTokens,
  { publicUrl, authSecret }: Deployment,
  expiresAt: Date,
): string {
  const sealed = createCookieEncryption(authSecret).encrypt(`${token}${BETWEEN}${refreshToken}`);
  return formatCookie(Buffer.from(sealed, 'base64').toString('base64url'), { publicUrl, expiresAt });
}

/** The `Set-Cookie` header that ends a session. */
export function buildExpiredCookie(publicUrl: string): string {
  return formatCookie('', { publicUrl, expiresAt: new Date(0) });
}

/** The tokens in a `Cookie` header; null without a cookie that this deployment has sealed. */
export function parseSessionTokens(
  header: string,
  { publicUrl, authSecret }: Deployment,
): SessionTokens | null {
  const cookies = header.split(';').map((one) => one.trim());
  const start = `${cookieName(publicUrl)}=`;
  const found = cookies.find((one) => one.startsWith(start))?.slice(start.length) ?? '';
  const opened = createCookieEncryption(authSecret).decrypt(
    Buffer.from(found, 'base64url').toString('base64'),
  );
  const [token, refreshToken] = opened?.split(BETWEEN) ?? [];
  return token && refreshToken ? { token, refreshToken } : null;
}

/**
 * The token that a request by cookie sends as `X-CSRF-Token`. It proves that the page that signed
 * in made the request, because it is returned only there. It stays the same for the session's
 * whole life.
 */
export function deriveCsrfToken(family: string, secret: string): string {
  return createHmac('sha256', `csrf ${secret}`).update(family).digest('base64url');
}

/** Throws DomainError `forbidden` unless the header is the session's `csrfToken`. */
export function assertCsrfToken(given: string, session: { family: string; secret: string }): void {
  if (isCsrfToken(given, session)) return;
  throw new DomainError('forbidden', 'A request with the session cookie needs its X-CSRF-Token.');
}

/** Compares in constant time. */
function isCsrfToken(given: string, { family, secret }: { family: string; secret: string }): boolean {
  const [one, other] = [given, deriveCsrfToken(family, secret)].map((text) => Buffer.from(text));
  return one?.length === other?.length && timingSafeEqual(one as Buffer, other as Buffer);
}

function createCookieEncryption(secret: string) {
  return createEncryption(`console ${secret}`);
}

/**
 * Browsers send the cookies of a host to all its ports and paths. The name holds both of
 * PUBLIC_URL, so that two deployments on one host do not end each other's sessions:
 * `parlance_session_3000`.
 */
export function cookieName(publicUrl: string): string {
  const { protocol, port, pathname } = new URL(publicUrl);
  const path = pathname.replace(/\/$/, '').replaceAll(/\W+/g, '_').slice(0, 40);
  return `parlance_session_${port || (protocol === 'https:' ? '443' : '80')}${path}`;
}

function formatCookie(
  value: string,
  { publicUrl, expiresAt }: { publicUrl: string; expiresAt: Date },
): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(publicUrl)}=${value}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Strict${secure}`;
}
