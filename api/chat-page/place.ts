import { notFound } from '../../domain/refusal.ts';
import { findContactByIdentifiers } from '../../application/posting/find-or-create-contact.ts';
import {
  findBySlug,
  findConversationRef,
  findConversationOrTombstone,
} from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { Api, OpenRequest } from '../request.ts';
import { isExpired, deriveChatIds, createPendingChats } from './started-chat.ts';
import type { PendingChat } from './started-chat.ts';

/**
 * What the key in a path opens: a conversation, or one that waits for its first message (spec
 * 13.3).
 */
export type ChatTarget =
  { kind: 'stored'; ref: ConversationRef; started?: PendingChat } | { kind: 'started'; started: PendingChat };

/** What the key of the path opens; null where that is nothing, or nothing any more. */
export async function findChatTarget(
  { params }: Pick<OpenRequest, 'params'>,
  { config }: Pick<Api, 'config'>,
): Promise<ChatTarget | null> {
  const { slug = '' } = params;
  const started = createPendingChats(config.authSecret).read(slug);
  if (!started) {
    const ref = await findBySlug(slug);
    return ref && { kind: 'stored', ref };
  }
  const ref = await (started.known
    ? findKnownConversation(started)
    : findConversationOrTombstone(deriveChatIds(started).conversation));
  if (ref === 'deleted') return null;
  if (ref) return { kind: 'stored', ref, started };
  return isExpired(started) ? null : { kind: 'started', started };
}

/** The same; throws DomainError `not_found` where the key opens nothing. */
export async function resolveChatKey(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ChatTarget> {
  const target = await findChatTarget(request, api);
  if (!target) throw notFound('The conversation');
  return target;
}

/**
 * The conversation that the key opens. Throws DomainError `not_found` before its first message too.
 */
export async function resolveStoredChat(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ConversationRef> {
  const target = await resolveChatKey(request, api);
  if (target.kind === 'started') throw notFound('The conversation');
  return target.ref;
}

/** The organization whose page it is. */
export function getChatOrganization(target: ChatTarget): string {
  return target.kind === 'stored' ? target.ref.organization : target.started.organization;
}

async function findKnownConversation({
  organization,
  known = {},
}: PendingChat): Promise<ConversationRef | null> {
  const contact = await findContactByIdentifiers(organization, known, { isProved: true });
  return contact?.conversation === undefined
    ? null
    : findConversationRef({ organization }, contact.conversation);
}
