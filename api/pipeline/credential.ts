import type { Context } from 'koa';
import type { Principal } from '../../application/auth/principal.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { assertCsrfToken, parseSessionTokens } from '../console/session-cookie.ts';
import { redeemTicket } from '../resources/auth/stream-ticket.ts';
import { bearerToken } from '../resources/auth/bearer.ts';
import type { Api } from '../request.ts';
import type { Route } from '../route.ts';

/** What a request brings to be let in by. */
export interface Credential {
  /** Empty without one. */
  token: string;
  /** What the request asks besides, still encoded. */
  querystring: string;
  /** The token is of the console's cookie, which the browser sends by itself. */
  isCookie?: true;
}

/**
 * The token of the header. Where there is none: what the ticket of the query stands for, on a row
 * that takes one, or the token in the console's cookie.
 */
export async function readCredential(
  ctx: Context & { params: Record<string, string> },
  row: Route,
  { authority, config }: Api,
): Promise<Credential> {
  const { querystring } = ctx;
  const token = bearerToken(ctx.get('Authorization')) ?? '';
  if (token !== '' || row.scope === null) return { token, querystring };
  const query = new URLSearchParams(querystring);
  const [ticket, ...others] = query.getAll('ticket');
  if (!row.ticket || ticket === undefined) return readCookie(ctx, config);
  if (others.length > 0) throw invalidRequest('ticket', 'must not be repeated');
  query.delete('ticket');
  const conversation = ctx.params['id'] ?? '';
  return {
    token: await redeemTicket({ ticket, conversation }, authority),
    querystring: query.toString(),
  };
}

/**
 * Throws DomainError `forbidden` unless the page that signed in made the request: no other page has
 * the session's `csrfToken` (spec 12.1).
 */
export function assertOwnPageRequest(ctx: Context, { credential }: Principal, secret: string): void {
  const family = 'family' in credential ? credential.family : '';
  assertCsrfToken(ctx.get('X-CSRF-Token'), { family, secret });
}

function readCookie(ctx: Context, config: Api['config']): Credential {
  const { querystring } = ctx;
  const tokens = parseSessionTokens(ctx.get('Cookie'), config);
  return tokens ? { token: tokens.token, querystring, isCookie: true } : { token: '', querystring };
}
