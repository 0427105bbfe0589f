import type { Static } from 'typebox';
import type { ConversationSeed } from '../../domain/conversation.ts';
import { findConversation } from '../../store/find-conversations.ts';
import { notFound } from '../errors.ts';
import type { Api, ApiRequest } from '../request.ts';
import { presentConversations } from './present.ts';
import type { ShownConversation } from './present.ts';
import type { conversationInput } from './schema.ts';

type Fields = Omit<Static<typeof conversationInput>, 'contact' | 'organization' | 'messages'>;

/** What a conversation that a request may make is made of. Its creator is the first participant (contract 6). */
export function seedOf(
  { principal, body, mint, receivedAt }: ApiRequest<Fields>,
  { id, organization, contact }: { id: string; organization: string; contact: string | undefined },
): ConversationSeed {
  const { name, type, status, category, categoryIndex, language, meta } = body;
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

/** A conversation that was just written to, as it is stored now. */
export async function storedConversation(
  id: string,
  { principal }: Pick<ApiRequest, 'principal'>,
  { config }: Api,
): Promise<ShownConversation> {
  const found = await findConversation(principal.reach, id);
  const [conversation] = found ? await presentConversations([found], config.publicUrl) : [];
  if (!conversation) throw notFound('The conversation');
  return conversation;
}
