import { notFound } from '../../domain/errors.ts';
import { notBegunPage } from '../../web/pages.ts';
import { buildErrorResponse, toDomainError } from '../errors.ts';
import { includesScope } from '../../domain/scope.ts';
import { isWithinReach } from '../../store/queries/reach.ts';
import { findAccount } from '../../store/accounts/users.ts';
import { parseFamily } from '../../application/auth/authority.ts';
import { deriveCsrfToken, buildSessionCookie, parseSessionTokens } from '../console/session.ts';
import { openFamily } from '../resources/auth/token-pair.ts';
import { createConversation } from '../resources/conversations/conversations.ts';
import type { HandlerResult, Api, OpenRequest, ApiRequest } from '../request.ts';
import { offersEchoBot, assertOwnPage, ECHO_BOT, assertMadeHere, findEchoBot } from './offered.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { listApiKeys } from '../../store/accounts/apikeys.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findBotService } from '../../store/delivery/services.ts';
import { findRootOrganization } from '../../store/records/organizations.ts';
import { createApiKey } from '../resources/apikeys/apikeys.ts';
import { createOrganization } from '../resources/organizations/organizations.ts';
import { createService, updateService } from '../resources/services/services.ts';
import { createAnyUser } from '../resources/users/users.ts';
import { ECHO_EVENTS, echoAddress, respondToVerification, echo, echoInput } from './echo-bot.ts';
import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';

const HELLO = 'Hello! I am the echo bot: I repeat everything that you write.';

/**
 * Creates a conversation with the echo bot and shows it in the console (spec 12.4). A caller who
 * cannot see it is signed in as the first-start agent. A form sends the request, so expected errors
 * are HTML pages.
 */
async function beginFirstConversation(request: OpenRequest, api: Api): Promise<HandlerResult> {
  try {
    return await createFirstConversation(request, api);
  } catch (error) {
    const refusal = toDomainError(error);
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
  // Browsers do not send the fragment, which may contain a token.
  const place = `../console#${session ? `session=${session.csrfToken}` : ''}/inbox/all/${id}/beside`;
  const cookie: Record<string, string> = session ? { 'Set-Cookie': session.cookie } : {};
  return { status: 303, headers: { Location: place, 'Cache-Control': 'no-store', ...cookie } };
}

/** Returns false for the first-start agent, who gets a new session each time. */
async function canSeeConversation(
  { client }: OpenRequest,
  { agent, bot }: EchoSetup,
  { authority, config }: Api,
): Promise<boolean> {
  const tokens = parseSessionTokens(client, config);
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

const NEWCOMER = 'newcomer@parlance.local';
const ORGANIZATION = 'First steps';

interface EchoSetup {
  bot: Principal;
  /** Id of an agent without a password. */
  agent: string;
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs requests one after another, so that two clicks create one bot. */
function ensureEchoSetup(request: OpenRequest, api: Api): Promise<EchoSetup> {
  const mine = turn.catch(() => undefined).then(() => buildEchoSetup(request, api));
  turn = mine;
  return mine;
}

async function buildEchoSetup(asked: OpenRequest, api: Api): Promise<EchoSetup> {
  const root = await findRootOrganization();
  if (!root) throw notFound('The root organization');
  const request = { ...asked, principal: buildAdminPrincipal(root._id) };
  if (!(await findEchoBot())) await createEchoBot(request, api);
  const bot = await findEchoBot();
  if (!bot) throw notFound('The echo bot');
  const agent = await findOrCreateUser(request, api, {
    email: NEWCOMER,
    role: 'agent',
    givenName: 'You',
    status: 'online',
    organization: bot.organization,
  });
  assertMadeHere(agent, { role: 'agent', organization: bot.organization, createdBy: root._id });
  const apiKey = await findOrCreateKey(bot, request, api);
  await ensureWebhook(bot, request, api);
  const principal = {
    ...buildAdminPrincipal(bot.organization),
    user: bot._id,
    role: 'bot',
    scope: 'bot',
  } as const;
  return { bot: { ...principal, credential: { apiKey } }, agent: agent._id };
}

function buildAdminPrincipal(organization: string): Principal {
  const credential = { family: 'first-start' };
  return {
    user: organization,
    organization,
    role: 'admin',
    scope: 'admin',
    reach: { organization },
    credential,
  };
}

type AdminRequest = ApiRequest;
type NewUser = Parameters<typeof createAnyUser>[0]['body'];

async function createEchoBot(request: AdminRequest, api: Api): Promise<void> {
  const made = await createOrganization({ ...request, body: { name: ORGANIZATION } }, api);
  const { id: organization } = made.body as { id: string };
  await findOrCreateUser(request, api, { email: ECHO_BOT, role: 'bot', givenName: 'Echo bot', organization });
}

async function findOrCreateUser(
  request: AdminRequest,
  api: Api,
  body: NewUser & { email: string },
): Promise<UserDocument> {
  const { email } = body;
  if (!(await findAccount({ email }))) await createAnyUser({ ...request, body }, api);
  const user = await findAccount({ email });
  if (!user) throw notFound('The user');
  return user;
}

async function findOrCreateKey({ _id: id }: UserDocument, request: AdminRequest, api: Api): Promise<string> {
  const [known] = await listApiKeys(id);
  if (known) return known._id;
  const { body } = await createApiKey({ ...request, id, body: { name: 'echo', scopes: ['bot'] } }, api);
  return (body as { id: string }).id;
}

/** Creates or repairs the webhook: the port may have changed, or an admin may have paused it. */
async function ensureWebhook(
  { _id: user, organization }: UserDocument,
  request: AdminRequest,
  api: Api,
): Promise<void> {
  const params = { url: echoAddress(api), events: ECHO_EVENTS };
  const known = await findBotService(user);
  if (!known) {
    const body = { name: 'echo bot', type: 'webhook', organization, user, params };
    await createService({ ...request, body }, api);
  } else if (known.params.url !== params.url || known.status !== 'active') {
    await updateService({ ...request, id: known._id, body: { params, status: 'active' } }, api);
  }
}

/** Available on a local machine only (spec 12.4). */
export const FIRST_START: readonly Route[] = [
  openRoute(
    'POST /console/first-conversation',
    'Begin a conversation with the echo bot',
    beginFirstConversation,
  ),
  openRoute('GET /console/echo-bot/:secret', 'Verify the address of the echo bot', respondToVerification),
  openRoute('POST /console/echo-bot/:secret', 'Send a message of a contact to the echo bot', echo, {
    body: echoInput,
    secret: true,
  }),
];
