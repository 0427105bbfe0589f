import type { Static } from 'typebox';
import type { ConversationSeed } from '../domain/conversation.ts';
import type { Asking } from './asking.ts';
import type { conversationInput } from './conversation-input.ts';

type Fields = Omit<Static<typeof conversationInput>, 'contact' | 'organization' | 'messages'>;

/** What a conversation that a request may make is made of. Its creator is the first participant (contract 6). */
export function seedOf(
  fields: Fields,
  { principal, mint, receivedAt }: Asking,
  { id, organization, contact }: { id: string; organization: string; contact: string | undefined },
): ConversationSeed {
  const { name, type, status, category, categoryIndex, language, meta } = fields;
  const given = { name, type, status, category, categoryIndex, language, meta };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    id,
    slug: mint.slug(),
    organization,
    ...(contact === undefined ? {} : { contact }),
    createdBy: principal.user,
    createdAt: receivedAt,
    creator: { user: principal.user, organization: principal.organization, role: principal.role },
    ...Object.fromEntries(present),
  };
}
