import { createHash } from 'node:crypto';
import { DomainError, notFound } from '../../domain/errors.ts';
import { findContactByIdentifiers } from '../../application/posting/contacts.ts';
import type { SentPost } from '../../application/posting/posting-context.ts';
import { startConversation } from '../../application/posting/start-conversation.ts';
import type { StartInput } from '../../application/posting/start-conversation.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { addRequests } from '../../store/cluster/request-counts.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationExists } from '../../store/records/organization-removal.ts';
import type { Api, OpenRequest } from '../request.ts';
import { buildContactPrincipal, deriveChatIds } from './chat-target.ts';
import type { ChatIds, PendingChat } from './chat-target.ts';

export type ChatInput = NonNullable<StartInput['messages']>[number];

export interface PostedChat extends Pick<SentPost, 'posted' | 'drafts'> {
  place: ConversationRef;
}

/**
 * Creates the conversation of an anonymous visitor (spec 13.3), or upserts the conversation of a
 * verified visitor (spec 12.4), with the first message. Throws DomainError `not_found` if the
 * organization was removed.
 */
export async function beginChat(
  started: PendingChat,
  input: ChatInput,
  { request, api }: { request: OpenRequest; api: Api },
): Promise<PostedChat> {
  const { organization } = started;
  await countVisit('beginnings', request, api);
  if (!(await organizationExists(organization))) throw notFound('The conversation');
  const { contact, profile, names } = await chooseContact(started, request);
  const { conversation, posted, drafts } = await startConversation(
    { organization, type: 'contact', contact: { profile }, messages: [input] },
    {
      principal: buildContactPrincipal({ organization, contact }),
      ids: request.ids,
      receivedAt: request.receivedAt,
      origin: 'message',
      deps: api.posting,
      names,
      isProved: true,
    },
  );
  const place = await findConversationRef({ organization }, conversation);
  if (!place) throw notFound('The conversation');
  return { place, posted, drafts };
}

async function chooseContact(
  started: PendingChat,
  { ids }: OpenRequest,
): Promise<{ contact: string; profile: NonNullable<PendingChat['known']>; names: ChatIds }> {
  const { organization, known } = started;
  if (!known) {
    const names = deriveChatIds(started);
    return { contact: names.contact, profile: {}, names };
  }
  const { name, ...identifier } = known;
  const found = await findContactByIdentifiers(organization, identifier, { isProved: true });
  const names = { contact: ids.newId(), conversation: ids.newId(), slug: ids.newSlug() };
  // Only a new contact gets the name, which is not signed.
  return found
    ? { contact: found._id, profile: identifier, names }
    : { contact: names.contact, profile: known, names };
}

/** Per client address (spec 13.3). */
const LIMITS = {
  starts: { max: 30, inMs: 60_000 },
  beginnings: { max: 30, inMs: 600_000 },
} as const;

/** Counts in all processes. Throws DomainError `rate_limited`. */
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
