import { notFound } from '../../domain/refusal.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { PostedMessage } from '../../domain/messages/post.ts';
import { beginConversation } from '../../application/posting/begin-conversation.ts';
import { findContactByIdentifiers } from '../../application/posting/find-or-create-contact.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import { prepareUpsert } from '../../application/posting/prepare-upsert.ts';
import type { UpsertInput } from '../../application/posting/prepare-upsert.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationExists } from '../../store/records/organization-removal.ts';
import type { Api, OpenRequest } from '../request.ts';
import { buildContactPrincipal } from './contact.ts';
import { deriveChatIds } from './started-chat.ts';
import type { PendingChat } from './started-chat.ts';
import { countVisit } from './visit-limit.ts';

/** Something that the contact says. */
export type ChatInput = NonNullable<UpsertInput['messages']>[number];

/** Something the contact said, and where it is now. */
export interface PostedChat {
  place: ConversationRef;
  drafts: MessageDraft[];
  posted: PostedMessage[];
}

interface ChatRequest {
  request: OpenRequest;
  api: Api;
}

/**
 * Says the first thing in a conversation that was only started, which makes it (spec 13.3): for a
 * visitor whom nobody knows the one that its key names, for a known one as an upsert does (spec
 * 12.4). Throws DomainError `not_found` where the organization is removed.
 */
export async function beginChat(
  started: PendingChat,
  input: ChatInput,
  { request, api }: ChatRequest,
): Promise<PostedChat> {
  await countVisit('beginnings', request, api);
  if (!(await organizationExists(started.organization))) throw notFound('The conversation');
  return started.known
    ? beginKnownChat({ ...started, known: started.known }, input, { request, api })
    : beginAnonymousChat(started, input, { request, api });
}

async function beginAnonymousChat(
  started: PendingChat,
  input: ChatInput,
  { request, api }: ChatRequest,
): Promise<PostedChat> {
  const { organization } = started;
  const names = deriveChatIds(started);
  const place = { id: names.conversation, slug: names.slug, organization, contact: names.contact };
  const { posted, drafts } = await beginConversation(input, {
    names,
    organization,
    request: { ...request, principal: buildContactPrincipal(place) },
    deps: api.posting,
  });
  return { place, posted, drafts };
}

async function beginKnownChat(
  { organization, known }: PendingChat & Required<Pick<PendingChat, 'known'>>,
  input: ChatInput,
  { request, api }: ChatRequest,
): Promise<PostedChat> {
  const { name, ...identifier } = known;
  const found = await findContactByIdentifiers(organization, identifier, { isProved: true });
  const contact = found?._id ?? request.ids.newId();
  const { upsert, post } = await prepareUpsert(
    // The name is not signed: it is for a contact that is made now.
    { organization, type: 'contact', contact: { profile: found ? identifier : known }, messages: [input] },
    {
      request: {
        principal: buildContactPrincipal({ id: contact, slug: '', organization, contact }),
        ids: withFirstId(contact, request.ids),
        receivedAt: request.receivedAt,
      },
      deps: api.posting,
      origin: 'message',
      isProved: true,
    },
  );
  const { conversation, posted } = await upsert();
  const place = await findConversationRef({ organization }, conversation);
  if (!place) throw notFound('The conversation');
  return { place, posted, drafts: post.messages };
}

/** Gives this id first: a contact that is made says itself that it was. */
function withFirstId(id: string, ids: IdGenerator): IdGenerator {
  let isGiven = false;
  return {
    newSlug: ids.newSlug,
    newId() {
      if (isGiven) return ids.newId();
      isGiven = true;
      return id;
    },
  };
}
