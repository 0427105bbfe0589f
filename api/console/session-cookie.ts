import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenPair } from '../resources/auth/schema.ts';

const NAME = 'parlance_session';
/** Of no token: what stands between the two in the cookie. */
const BETWEEN = '~';

/** What the cookie of the console keeps. */
export type SessionTokens = Pick<TokenPair, 'token' | 'refreshToken'>;

/**
 * The `Set-Cookie` header that begins or renews a session of the console (spec 12.1): no script
 * reads it, and no other site's request carries it. It lives as long as its refresh token.
 */
export function sessionCookie(
  { token, refreshToken }: SessionTokens,
  { publicUrl, expiresAt }: { publicUrl: string; expiresAt: Date },
): string {
  return cookieOf(`${token}${BETWEEN}${refreshToken}`, { publicUrl, expiresAt });
}

/** The `Set-Cookie` header that ends a session. */
export function endedCookie(publicUrl: string): string {
  return cookieOf('', { publicUrl, expiresAt: new Date(0) });
}

/** The tokens that a `Cookie` header carries; null without them. */
export function sessionTokens(header: string): SessionTokens | null {
  const cookies = header.split(';').map((one) => one.trim());
  const found = cookies.find((one) => one.startsWith(`${NAME}=`))?.slice(NAME.length + 1) ?? '';
  const [token, refreshToken] = found.split(BETWEEN);
  return token && refreshToken ? { token, refreshToken } : null;
}

/**
 * What a request by cookie has to send as `X-CSRF-Token`: it proves that a page of ours made it,
 * because no other page can read it. The same for a session's whole life.
 */
export function csrfToken(family: string, secret: string): string {
  return createHmac('sha256', `csrf ${secret}`).update(family).digest('base64url');
}

/** Whether a header is the session's `csrfToken`, in constant time. */
export function isCsrfToken(given: string, { family, secret }: { family: string; secret: string }): boolean {
  const [one, other] = [given, csrfToken(family, secret)].map((text) => Buffer.from(text));
  return one?.length === other?.length && timingSafeEqual(one as Buffer, other as Buffer);
}

function cookieOf(value: string, { publicUrl, expiresAt }: { publicUrl: string; expiresAt: Date }): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${value}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Strict${secure}`;
}
