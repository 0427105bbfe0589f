import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { createEncryption } from '../pipeline/encryption.ts';
import type { TokenPair } from '../resources/auth/schema.ts';

const NAME = 'parlance_session';
/** No token contains it: it separates the two in the sealed value. */
const BETWEEN = '~';

/** The tokens that the console's cookie keeps. */
export type SessionTokens = Pick<TokenPair, 'token' | 'refreshToken'>;

/** `secret` is AUTH_SECRET. */
interface CookieOptions {
  publicUrl: string;
  secret: string;
  expiresAt: Date;
}

/**
 * The `Set-Cookie` header that begins or renews a session of the console (spec 12.1): no script
 * reads it, and no other site's request carries it. A server on another port of the same host does
 * receive it, so its tokens are encrypted: the value is no bearer token. It lives as long as its
 * refresh token.
 */
export function sessionCookie(
  { token, refreshToken }: SessionTokens,
  { publicUrl, secret, expiresAt }: CookieOptions,
): string {
  const sealed = encryptionFor(secret).close(`${token}${BETWEEN}${refreshToken}`);
  return formatCookie(Buffer.from(sealed, 'base64').toString('base64url'), { publicUrl, expiresAt });
}

/** The `Set-Cookie` header that ends a session. */
export function endedCookie(publicUrl: string): string {
  return formatCookie('', { publicUrl, expiresAt: new Date(0) });
}

/** The tokens in a `Cookie` header; null without a cookie that was sealed with this secret. */
export function sessionTokens(header: string, secret: string): SessionTokens | null {
  const cookies = header.split(';').map((one) => one.trim());
  const found = cookies.find((one) => one.startsWith(`${NAME}=`))?.slice(NAME.length + 1) ?? '';
  const opened = encryptionFor(secret).open(Buffer.from(found, 'base64url').toString('base64'));
  const [token, refreshToken] = opened?.split(BETWEEN) ?? [];
  return token && refreshToken ? { token, refreshToken } : null;
}

/**
 * The token that a request by cookie sends as `X-CSRF-Token`. It proves that the page that signed
 * in made the request, because it is returned only there. It stays the same for the session's
 * whole life.
 */
export function csrfToken(family: string, secret: string): string {
  return createHmac('sha256', `csrf ${secret}`).update(family).digest('base64url');
}

/** Throws DomainError `forbidden` unless the header is the session's `csrfToken`. */
export function requireCsrfToken(given: string, session: { family: string; secret: string }): void {
  if (isCsrfToken(given, session)) return;
  throw new DomainError('forbidden', 'A request with the session cookie needs its X-CSRF-Token.');
}

/** Compares in constant time. */
function isCsrfToken(given: string, { family, secret }: { family: string; secret: string }): boolean {
  const [one, other] = [given, csrfToken(family, secret)].map((text) => Buffer.from(text));
  return one?.length === other?.length && timingSafeEqual(one as Buffer, other as Buffer);
}

function encryptionFor(secret: string) {
  return createEncryption(`console ${secret}`);
}

function formatCookie(value: string, { publicUrl, expiresAt }: Omit<CookieOptions, 'secret'>): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${value}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Strict${secure}`;
}
