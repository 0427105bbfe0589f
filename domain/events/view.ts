import type { ConversationResult, ConversationState } from '../conversations/conversation.ts';
import { latestResults } from '../conversations/cached-messages.ts';
import type { StoredMessage } from '../messages/message.ts';
import { pick } from '../record-fields.ts';

/**
 * What is shown of a conversation. A field that is added to its state or its document is not, until
 * it is added here.
 */
const CONVERSATION_FIELDS = [
  'id',
  'slug',
  'organization',
  'contact',
  'name',
  'type',
  'status',
  'category',
  'categoryIndex',
  'language',
  'meta',
  'participants',
  'channels',
  'channelsOffline',
  'touchpoints',
  'forms',
  'createdBy',
  'createdAt',
  'updatedAt',
  'lastMessageAt',
] as const satisfies readonly (keyof ConversationState)[];

/** What is shown of a message, likewise. */
const MESSAGE_FIELDS = [
  'id',
  'slug',
  'text',
  'type',
  'role',
  'contentType',
  'isBackchannel',
  'user',
  'service',
  'touchpoint',
  'delay',
  'items',
  'actions',
  'results',
  'meta',
  'serviceType',
  'externalId',
  'createdBy',
  'createdAt',
  'sequence',
  'processedAt',
] as const satisfies readonly (keyof StoredMessage)[];

/** A conversation as the API and webhooks show it (spec 5.1), without its list of messages. */
export type ConversationView = Pick<ConversationState, (typeof CONVERSATION_FIELDS)[number]> & {
  lastMessageAt: string;
  url: string;
  results: ConversationResult[];
};

/** A message as the API and webhooks show it (spec 6.1). */
export type MessageView = Pick<StoredMessage, (typeof MESSAGE_FIELDS)[number]> & {
  organization: string;
  conversation: string;
  contact?: string;
  url: string;
  updatedAt: string;
};

/** Viewer URL of a conversation (spec 5.1). */
export function conversationUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/c/${slug}`;
}

/** Viewer URL of a message: the conversation's, and the message's slug as fragment (spec 5.1). */
export function messageUrl(publicUrl: string, slugs: { conversation: string; message: string }): string {
  return `${conversationUrl(publicUrl, slugs.conversation)}#${slugs.message}`;
}

/** What the public may see of a conversation's state. */
export function conversationView(
  state: Pick<ConversationState, (typeof CONVERSATION_FIELDS)[number]>,
  { publicUrl, results }: { publicUrl: string; results: ConversationResult[] },
): ConversationView {
  return {
    ...pick(state, CONVERSATION_FIELDS),
    url: conversationUrl(publicUrl, state.slug),
    results: latestResults(results),
  };
}

/** What the public may see of a message. `conversation` is the conversation it belongs to. */
export function messageView(
  message: Pick<StoredMessage, (typeof MESSAGE_FIELDS)[number]> & { updatedAt?: string },
  conversation: Pick<ConversationState, 'id' | 'slug' | 'organization' | 'contact'>,
  publicUrl: string,
): MessageView {
  const { id, organization, contact, slug } = conversation;
  return {
    ...pick(message, MESSAGE_FIELDS),
    organization,
    conversation: id,
    ...(contact ? { contact } : {}),
    url: messageUrl(publicUrl, { conversation: slug, message: message.slug }),
    updatedAt: message.updatedAt ?? message.processedAt ?? message.createdAt,
  };
}

/**
 * The addresses at which a conversation can be gone on with (spec 5.11): `web` is its viewer, the
 * others come from the organization's templates by touchpoint code, each with `{slug}` filled in
 * (spec 5.11).
 */
export function conversationLinks(
  slug: string,
  { publicUrl, links }: { publicUrl: string; links: Record<string, string> },
): Record<string, string> {
  const others = Object.entries(links).map(
    ([code, template]) => [code, template.replaceAll('{slug}', slug)] as const,
  );
  return { ...Object.fromEntries(others), web: conversationUrl(publicUrl, slug) };
}
