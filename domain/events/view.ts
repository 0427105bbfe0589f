import { FIRST_TIMES, MAX_RESULTS } from '../conversations/conversation.ts';
import type { ConversationResult, ConversationState } from '../conversations/conversation.ts';
import { jsonBytes } from '../free-form.ts';
import type { StoredMessage } from '../messages/message.ts';
import { pick } from '../record-fields.ts';
import type { OptionalFields } from '../record-fields.ts';

const MAX_RESULT_BYTES = 64 * 1024;

// A field that is not listed stays internal.
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
  ...FIRST_TIMES,
  'snoozedUntil',
  'team',
  'labels',
  'rating',
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
  'sendAt',
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
  'delivery',
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
  contact?: string | undefined;
  url: string;
  updatedAt: string;
};

export function conversationUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/c/${slug}`;
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

/** Returns the latest completed forms. Bounded, because every event repeats them. */
function latestResults(results: readonly ConversationResult[] = []): ConversationResult[] {
  let bytes = 0;
  let first = results.length;
  while (first > 0 && results.length - first < MAX_RESULTS) {
    bytes += jsonBytes(results[first - 1]) + 1;
    if (bytes > MAX_RESULT_BYTES) break;
    first -= 1;
  }
  return results.slice(first);
}

export function messageView(
  message: Pick<StoredMessage, (typeof MESSAGE_FIELDS)[number]> & { updatedAt?: string },
  conversation: Pick<ConversationState, 'id' | 'slug' | 'organization'> &
    OptionalFields<Pick<ConversationState, 'contact'>>,
  publicUrl: string,
): MessageView {
  const { id, organization, contact, slug } = conversation;
  return {
    ...pick(message, MESSAGE_FIELDS),
    organization,
    conversation: id,
    contact,
    url: `${conversationUrl(publicUrl, slug)}#${message.slug}`,
    updatedAt: message.updatedAt ?? message.processedAt ?? message.createdAt,
  };
}

/**
 * Returns links by touchpoint code (spec 5.11). `web` is the chat page. Replaces `{slug}` in the
 * templates of the others.
 */
export function conversationLinks(
  slug: string,
  { publicUrl, links }: { publicUrl: string; links: Record<string, string> },
): Record<string, string> {
  const others = Object.entries(links).map(([code, template]): [string, string] => [
    code,
    template.replaceAll('{slug}', slug),
  ]);
  return { ...Object.fromEntries(others), web: conversationUrl(publicUrl, slug) };
}
