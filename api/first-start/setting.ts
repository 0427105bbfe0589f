import type { Principal } from '../../application/auth/principal.ts';
import { notFound } from '../../domain/refusal.ts';
import { listApiKeys } from '../../store/accounts/apikeys.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findBotService } from '../../store/delivery/services.ts';
import { findRootOrganization } from '../../store/records/organizations.ts';
import type { Api, ApiRequest, OpenRequest } from '../request.ts';
import { createApiKey } from '../resources/apikeys/create.ts';
import { createOrganization } from '../resources/organizations/create.ts';
import { createService } from '../resources/services/create.ts';
import { updateService } from '../resources/services/update.ts';
import { createAnyUser } from '../resources/users/create.ts';
import { ECHO_EVENTS, echoAddress } from './echo-bot.ts';
import { ECHO_BOT, assertMadeHere, findEchoBot } from './made-here.ts';

const NEWCOMER = 'newcomer@parlance.local';
const ORGANIZATION = 'First steps';

/** Who there is to talk to, and who looks on. */
export interface EchoSetup {
  bot: Principal;
  /** The id of an agent of the bot's organization, who has no password. */
  agent: string;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * The echo bot with its organization, key and webhook, and an agent beside it: made where they are
 * missing, as an admin of the root would, and one request after another, so that two clicks make
 * one bot. One process is enough: the launcher starts no second one.
 */
export function ensureEchoSetup(request: OpenRequest, api: Api): Promise<EchoSetup> {
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

/** The product itself, which acts as an admin of an organization. */
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

/** The port may be another one than at the last start, and an admin may have paused the webhook. */
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
