import { notFound } from '../../domain/refusal.ts';
import { notBegunPage } from '../../web/pages.ts';
import { buildErrorResponse, toDomainError } from '../errors.ts';
import { includesScope } from '../../domain/scope.ts';
import { isWithinReach } from '../../store/queries/reach.ts';
import { findAccount } from '../../store/accounts/users.ts';
import { parseFamily } from '../../application/auth/authority.ts';
import { deriveCsrfToken, buildSessionCookie, parseSessionTokens } from '../console/session-cookie.ts';
import { openFamily } from '../resources/auth/token-pair.ts';
import { createConversation } from '../resources/conversations/create.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { offersEchoBot, assertOwnPage } from './offered.ts';
import { ensureEchoSetup } from './setting.ts';
import type { EchoSetup } from './setting.ts';

const HELLO = 'Hello! I am the echo bot: whatever you write, I say again.';

/**
 * POST /console/first-conversation: makes a conversation with the echo bot and leads to it in the
 * console, beside its chat page (spec 12.4). Who is signed in and sees it stays so; anybody else
 * becomes an agent of the bot's organization, who sees nothing but such conversations. A refusal is
 * a page in words, because the request is a form's.
 */
export async function beginFirstConversation(request: OpenRequest, api: Api): Promise<HandlerResult> {
  try {
    return await createFirstConversation(request, api);
  } catch (error) {
    const refusal = toDomainError(error);
    // Unexpected errors belong in the log.
    if (refusal.code === 'internal') throw error;
    const { status, headers } = buildErrorResponse(refusal);
    const type = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
    return { status, headers: { ...headers, ...type }, body: notBegunPage(refusal.message) };
  }
}

async function createFirstConversation(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { config } = api;
  if (!offersEchoBot(config)) throw notFound('The echo bot');
  assertOwnPage(request, config.port);
  const setting = await ensureEchoSetup(request, api);
  const { body } = await createConversation(
    {
      ...request,
      principal: setting.bot,
      body: {
        organization: setting.bot.organization,
        type: 'contact',
        name: 'You and the echo bot',
        messages: [{ text: HELLO, isBackchannel: false }],
      },
    },
    api,
  );
  const { id } = body as { id: string };
  const session = (await canSeeConversation(request, setting, api))
    ? undefined
    : await agentSession(setting, api);
  // A fragment is in no request and no log.
  const place = `../console#${session ? `session=${session.csrfToken}` : ''}/inbox/all/${id}/beside`;
  const cookie: Record<string, string> = session ? { 'Set-Cookie': session.cookie } : {};
  return { status: 303, headers: { Location: place, 'Cache-Control': 'no-store', ...cookie } };
}

/** The agent of the first start has no password, so each press gives that agent a new session. */
async function canSeeConversation(
  { client }: OpenRequest,
  { agent, bot }: EchoSetup,
  { authority, config }: Api,
): Promise<boolean> {
  const tokens = parseSessionTokens(client.cookies, config);
  const known = tokens && (await authority.authenticate(tokens.token).catch(() => null));
  if (!known || known.user === agent) return false;
  return includesScope(known.scope, 'agent') && (await isWithinReach(known.reach, bot.organization));
}

async function agentSession({ agent }: EchoSetup, { authority, config }: Api) {
  const user = await findAccount({ _id: agent });
  if (!user) throw notFound('The agent');
  const tokens = await openFamily(authority.jwt, user);
  const claims = await authority.jwt.verify(tokens.refreshToken);
  const expiresAt = new Date((claims.exp ?? 0) * 1000);
  return {
    cookie: buildSessionCookie(tokens, config, expiresAt),
    csrfToken: deriveCsrfToken(parseFamily(claims).family, config.authSecret),
  };
}
