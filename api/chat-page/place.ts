import { notFound } from '../../domain/refusal.ts';
import { contactByIdentifiers } from '../../application/posting/find-or-create-contact.ts';
import {
  findBySlug,
  findConversationRef,
  findConversationOrTombstone,
} from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { Api, OpenRequest } from '../request.ts';
import { isOver, namesOf, pendingChats } from './started-chat.ts';
import type { PendingChat } from './started-chat.ts';

/**
 * What the key in a path opens: a conversation, or one that waits for its first message (spec
 * 13.3).
 */
export type ChatTarget =
  { kind: 'stored'; ref: ConversationRef; started?: PendingChat } | { kind: 'started'; started: PendingChat };

/** What the key of the path opens; null where that is nothing, or nothing any more. */
export async function findPlace(
  { params }: Pick<OpenRequest, 'params'>,
  { config }: Pick<Api, 'config'>,
): Promise<ChatTarget | null> {
  const { slug = '' } = params;
  const started = pendingChats(config.authSecret).read(slug);
  if (!started) {
    const ref = await findBySlug(slug);
    return ref && { kind: 'stored', ref };
  }
  const ref = await (started.known
    ? ofKnown(started)
    : findConversationOrTombstone(namesOf(started).conversation));
  if (ref === 'deleted') return null;
  if (ref) return { kind: 'stored', ref, started };
  return isOver(started) ? null : { kind: 'started', started };
}

/** The same; throws DomainError `not_found` where the key opens nothing. */
export async function resolveChatKey(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ChatTarget> {
  const place = await findPlace(request, api);
  if (!place) throw notFound('The conversation');
  return place;
}

/**
 * The conversation that the key opens. Throws DomainError `not_found` before its first message too.
 */
export async function storedPlace(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ConversationRef> {
  const place = await resolveChatKey(request, api);
  if (place.kind === 'started') throw notFound('The conversation');
  return place.ref;
}

/** The organization whose page it is. */
export function organizationOf(place: ChatTarget): string {
  return place.kind === 'stored' ? place.ref.organization : place.started.organization;
}

async function ofKnown({ organization, known = {} }: PendingChat): Promise<ConversationRef | null> {
  const contact = await contactByIdentifiers(organization, known, { isProved: true });
  return contact?.conversation === undefined
    ? null
    : findConversationRef({ organization }, contact.conversation);
}
