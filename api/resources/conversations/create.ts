import type { Static } from 'typebox';
import { assertValidMeta } from '../../../domain/free-form.ts';
import { assignConversation } from '../../../store/conversations/contacts.ts';
import { buildCaller, draftMessages } from '../../../application/posting/draft-messages.ts';
import { choosePermittedOrganization } from '../../../application/auth/permitted-organization.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { dryRun } from '../../../application/posting/dry-run.ts';
import type { conversationInput } from '../../../application/schema/conversation-body.ts';
import { newConversationFields } from '../../../application/posting/seed.ts';
import { collectIgnoredFields } from '../messages/ignored.ts';
import { unknownContactError, assertReachableContact } from './foreign-contact.ts';
import { loadStoredView } from './stored.ts';
import { upsertConversation } from './upsert.ts';
import { withoutBlanks } from '../../../application/posting/without-blanks.ts';

/**
 * POST /conversations: an upsert when `contact` is an object, a plain create otherwise (spec 5.6,
 * 5.7).
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
