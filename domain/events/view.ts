import type { ConversationResult, ConversationState } from '../conversations/conversation.ts';
import { latestResults } from '../conversations/cached-messages.ts';
import type { StoredMessage } from '../messages/message.ts';
import { pick } from '../record-fields.ts';

/** Public fields. New fields stay internal unless listed here. */
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

/** A conversation as the API and webhooks show it (spec 5.1). */
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

/** Returns the chat page's URL (spec 5.1). */
export function conversationUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/c/${slug}`;
}

/** Returns the chat page's URL with the message's slug as fragment (spec 5.1). */
export function messageUrl(publicUrl: string, slugs: { conversation: string; message: string }): string {
  return `${conversationUrl(publicUrl, slugs.conversation)}#${slugs.message}`;
}

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
 * Returns links by touchpoint code: `web` is the chat page, the others are templates with `{slug}`
 * filled in (spec 5.11).
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
