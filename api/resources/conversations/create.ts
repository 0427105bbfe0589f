import type { Static } from 'typebox';
import { assertValidMeta } from '../../../domain/free-form.ts';
import { assignConversation, findContact } from '../../../store/conversations/contacts.ts';
import { buildCaller, draftMessages, dryRun } from '../../../application/posting/draft-messages.ts';
import { choosePermittedOrganization } from '../../../application/auth/principal.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import type { conversationInput } from '../../../application/schema/conversation-body.ts';
import { newConversationFields } from '../../../application/posting/new-conversation.ts';
import { collectIgnoredFields } from '../messages/messages.ts';
import { loadStoredView } from './present.ts';
import { withoutBlanks } from '../../../application/posting/telephone.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, unprocessable } from '../../../domain/errors.ts';
import { prepareUpsert } from '../../../application/posting/prepare-upsert.ts';
import type { Upserted, UpsertInput } from '../../../application/posting/prepare-upsert.ts';
import type { Principal } from '../../../application/auth/principal.ts';

/**
 * POST /conversations: an upsert if `contact` is an object, else a plain create (spec 5.6, 5.7).
 */
export function createConversation(
  request: ApiRequest<Static<typeof conversationInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { contact, ...body } = withoutBlanks(request.body);
  return typeof contact === 'object'
    ? upsertConversation({ ...request, body: { ...body, contact } }, api)
    : createPlain({ ...request, body: { ...body, contact } }, api);
}

type Plain = Omit<Static<typeof conversationInput>, 'contact'> & { contact: string | undefined };

async function createPlain(request: ApiRequest<Plain>, api: Api): Promise<HandlerResult> {
  const { principal, body, ids } = request;
  if (body.meta) assertValidMeta(body.meta);
  const organization = await choosePermittedOrganization(principal, body.organization);
  const { contact } = body;
  if (contact !== undefined) await assertReachableContact(principal, contact, organization);
  const seed = await newConversationFields(body, request, { id: ids.newId(), organization, contact });
  const posting = { principal, origin: 'message' as const, place: seed };
  const messages = await draftMessages(body.messages ?? [], { request, posting, deps: api.posting });
  const post = { caller: buildCaller(posting), messages, create: seed };
  dryRun(post, request.receivedAt);
  const id = contact === undefined ? seed.id : await assignConversation(contact, seed.id);
  if (id === null) throw unknownContactError();
  const { posted } = await api.posting.conversations.post(id, { ...post, create: { ...seed, id } });
  return {
    status: 201,
    body: await loadStoredView({ id, posted }, request, api),
    headers: { Location: `${api.config.publicUrl}/v2/conversations/${id}` },
    ignored: collectIgnoredFields(body.messages ?? [], ['messages']),
  };
}

const MAX_TRIES = 10;
const WAIT_MS = 200;
const NO_TYPE =
  'type: absent, so the new conversation is of type bot and its messages match no pattern message.create.contact; for a conversation with a contact send "type": "contact".';

/** Responds 201 if the conversation is new, else 200 (spec 5.7). */
async function upsertConversation(request: ApiRequest<UpsertInput>, api: Api): Promise<HandlerResult> {
  const { conversation: id, created, posted } = await upsertWithRetries(request, api);
  const { messages = [], status, type } = request.body;
  // Only new conversations use these fields.
  const idle = created ? [] : Object.entries({ status, type }).filter(([, value]) => value !== undefined);
  return {
    status: created ? 201 : 200,
    body: await loadStoredView({ id, posted }, request, api),
    headers: { Location: `${api.config.publicUrl}/v2/conversations/${id}` },
    hints: created && type === undefined ? [NO_TYPE] : [],
    ignored: [...idle.map(([field]) => [field]), ...collectIgnoredFields(messages, ['messages'])],
  };
}

// Retries if the conversation is deleted at the same time: its deletion also deletes the contact,
// and the next attempt creates both again.
async function upsertWithRetries(
  request: ApiRequest<UpsertInput>,
  { posting: deps }: Api,
): Promise<Upserted> {
  for (let tries = 1; ; tries++) {
    const { upsert } = await prepareUpsert(request.body, { request, deps, origin: 'upsert' });
    try {
      return await upsert();
    } catch (error) {
      if (!isNotFound(error) || tries === MAX_TRIES) throw error;
    }
    await sleep(WAIT_MS);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'not_found';
}

/** Throws DomainError `unprocessable` if out of reach or in another organization. */
export async function assertReachableContact(
  { reach }: Principal,
  id: string,
  organization: string,
): Promise<void> {
  const contact = await findContact(reach, id);
  if (contact?.organization !== organization) throw unknownContactError();
}

function unknownContactError(): DomainError {
  return unprocessable('there is no such contact in the organization', 'contact');
}
