import { buildTokenForm, readTokenResponse } from '../../../domain/channels/email/access-token.ts';
import type { AccessToken } from '../../../domain/channels/email/access-token.ts';
import { parseOrNull } from '../../../domain/json.ts';
import { lruMap } from '../../../platform/concurrency/lru-map.ts';
import { decodeAnswer } from '../../http/answer.ts';
import { describeFailure } from '../../http/exchange.ts';
import type { ProviderClient, StoredSecret } from '../contract.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';

export interface MailAccount {
  id: string;
  params: ServiceDocument['params'];
  /** The password, or the client secret of OAuth 2. */
  secret: string;
  /** Reads the refresh token of OAuth 2, if there is any. */
  openRefreshToken: () => Promise<StoredSecret>;
}

type Requests = Pick<ProviderClient, 'requestProvider'>;

/** No access token. `isRefused`: the credentials are wrong. */
export class TokenError extends Error {
  readonly isRefused: boolean;

  constructor(message: string, isRefused: boolean) {
    super(message);
    this.isRefused = isRefused;
  }
}

/** A token is not used in its last minute. */
const SPARE_MS = 60_000;
const MAX_ACCOUNTS = 1_000;

interface KnownToken {
  key: string;
  token: Promise<AccessToken>;
  until: number;
}

/** By the id of the channel, so that no tenant gets the token of another. */
const known = lruMap<string, KnownToken>(MAX_ACCOUNTS);

/**
 * Returns an access token for the SMTP server. Callers share a token until it expires. `isFresh`:
 * requests a new token. Rejects with TokenError.
 */
export async function findAccessToken(
  requests: Requests,
  account: MailAccount,
  { isFresh = false } = {},
): Promise<string> {
  const { id, params, secret } = account;
  const key = JSON.stringify([params.tokenUrl, params.clientId, params.scope, params.username, secret]);
  const found = known.get(id);
  if (!isFresh && found?.key === key && performance.now() < found.until) {
    return (await found.token).accessToken;
  }
  const entry = { key, token: requestToken(requests, account), until: Infinity };
  known.set(id, entry);
  try {
    const { accessToken, lifetimeMs } = await entry.token;
    entry.until = performance.now() + lifetimeMs - SPARE_MS;
    return accessToken;
  } catch (error) {
    entry.until = 0;
    throw error;
  }
}

/** Reads a refused refresh token again, because another process may have replaced it. */
async function requestToken(requests: Requests, account: MailAccount): Promise<AccessToken> {
  const stored = await account.openRefreshToken();
  try {
    return await exchangeToken(requests, account, stored);
  } catch (error) {
    if (!(error instanceof TokenError) || !error.isRefused) throw error;
    const current = await account.openRefreshToken();
    if (current.value === stored.value) throw error;
    return exchangeToken(requests, account, current);
  }
}

async function exchangeToken(
  requests: Requests,
  { params, secret: clientSecret }: MailAccount,
  { value: refreshToken, replace }: StoredSecret,
): Promise<AccessToken> {
  const { tokenUrl = '', clientId = '', scope } = params;
  const end = await requests.requestProvider({
    url: tokenUrl,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: buildTokenForm({ clientId, clientSecret, refreshToken, scope }).toString(),
  });
  if (end.status === undefined) throw new TokenError(`No access token: ${describeFailure(end)}`, false);
  const { text } = await decodeAnswer(end.answer ?? { bytes: Buffer.alloc(0) });
  const token = readTokenResponse(end.status, parseOrNull(text));
  if ('isRefused' in token) {
    throw new TokenError(token.isRefused ? token.text : `No access token: ${token.text}`, token.isRefused);
  }
  const { refreshToken: next } = token;
  if (next !== undefined && next !== refreshToken) await replace(next);
  return token;
}
