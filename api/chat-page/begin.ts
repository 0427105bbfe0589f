import { notFound, DomainError } from '../../domain/errors.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { PostedMessage } from '../../domain/messages/post.ts';
import { beginConversation } from '../../application/posting/new-conversation.ts';
import { findContactByIdentifiers } from '../../application/posting/find-or-create-contact.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import { prepareUpsert } from '../../application/posting/prepare-upsert.ts';
import type { UpsertInput } from '../../application/posting/prepare-upsert.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationExists } from '../../store/records/organization-removal.ts';
import type { Api, OpenRequest } from '../request.ts';
import { buildContactPrincipal, deriveChatIds } from './chat-target.ts';
import type { PendingChat } from './chat-target.ts';
import { createHash } from 'node:crypto';
import { storeNow } from '../../store/cluster/clock.ts';
import { addRequests } from '../../store/cluster/request-counts.ts';

export type ChatInput = NonNullable<UpsertInput['messages']>[number];

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
 * Creates the conversation with its first message: that of the key for an anonymous visitor
 * (spec 13.3), an upsert for a verified one (spec 12.4). Throws DomainError `not_found` if the
 * organization was removed.
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
    // The name is not signed, so only a new contact gets it.
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

/** Returns `id` first, because a new contact is its own creator. */
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

/** Per client address (spec 13.3). */
const LIMITS = {
  starts: { max: 30, inMs: 60_000 },
  beginnings: { max: 30, inMs: 600_000 },
} as const;

/**
 * Counts over all processes. Throws DomainError `rate_limited`. Disabled together with the rate
 * limit.
 */
export async function countVisit(
  what: keyof typeof LIMITS,
  { client }: Pick<OpenRequest, 'client'>,
  { config }: Pick<Api, 'config'>,
): Promise<void> {
  if (config.rateLimitPerSecond === 0) return;
  const { max, inMs } = LIMITS[what];
  const now = storeNow();
  const endsAt = (Math.floor(now / inMs) + 1) * inMs;
  const key = createHash('sha256').update(`${what} ${client.address}`).digest('base64url').slice(0, 22);
  if ((await addRequests(key, { endsAt, requests: 1 })) <= max) return;
  throw new DomainError('rate_limited', 'Too many conversations are begun from this address.', {
    retryAfterSeconds: Math.ceil((endsAt - now) / 1_000),
  });
}
