import { toOneLine } from '../../characters.ts';
import { toFields } from '../../json.ts';
import { definedFields } from '../../record-fields.ts';

/** Credentials for access tokens (RFC 6749). */
export interface TokenGrant {
  clientId: string;
  clientSecret: string;
  /** Absent: the client itself may send (the grant `client_credentials`). */
  refreshToken?: string | undefined;
  scope?: string | undefined;
}

export interface AccessToken {
  accessToken: string;
  lifetimeMs: number;
  refreshToken?: string;
}

/** `isRefused`: another request has the same response until the credentials change. */
export interface TokenFailure {
  isRefused: boolean;
  text: string;
}

/** Where the response has no `expires_in`. */
const DEFAULT_LIFETIME_MS = 5 * 60_000;
const MAX_LIFETIME_MS = 24 * 3600_000;
const MAX_TOKEN = 16_384;
const MAX_TEXT = 300;
const TEMPORARY = ['temporarily_unavailable', 'server_error', 'slow_down'];

export function buildTokenForm({ clientId, clientSecret, refreshToken, scope }: TokenGrant): URLSearchParams {
  return new URLSearchParams({
    ...(refreshToken === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken }),
    client_id: clientId,
    client_secret: clientSecret,
    ...definedFields({ scope }),
  });
}

/** Reads a response to `buildTokenForm`. `body`: its JSON, if it is JSON. */
export function readTokenResponse(status: number, body: unknown): AccessToken | TokenFailure {
  const fields = toFields(body);
  const { access_token: token, refresh_token: next, expires_in: seconds } = fields;
  if (status === 200) {
    if (!isToken(token)) return { isRefused: false, text: 'The response has no access token.' };
    return {
      accessToken: token,
      lifetimeMs: readLifetime(seconds),
      ...(isToken(next) ? { refreshToken: next } : {}),
    };
  }
  const { error, error_description: description } = fields;
  const words = [error, description].filter((part) => typeof part === 'string').join(': ');
  const text = toOneLine(words).slice(0, MAX_TEXT);
  const isRefused =
    (status === 400 || status === 401 || status === 403) &&
    typeof error === 'string' &&
    !TEMPORARY.includes(error);
  return { isRefused, text: text === '' ? `HTTP status ${status}` : text };
}

/** A token goes into a line of SMTP. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TOKEN && /^[\x20-\x7e]+$/.test(value);
}

function readLifetime(given: unknown): number {
  const ms = Number(given) * 1_000;
  return ms > 0 ? Math.min(ms, MAX_LIFETIME_MS) : DEFAULT_LIFETIME_MS;
}
