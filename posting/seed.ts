import type { Static } from 'typebox';
import type { ConversationSeed } from '../domain/conversation.ts';
import { categoryEffects } from '../domain/setting.ts';
import { organizationLine } from '../store/organizations.ts';
import type { Asking } from './asking.ts';
import type { conversationInput } from './conversation-input.ts';

type Fields = Omit<Static<typeof conversationInput>, 'contact' | 'organization' | 'messages'>;

/**
 * What a conversation that a request may make is made of. Its creator is the first participant (contract 6). Throws DomainError
 * `unprocessable` for a categoryIndex out of the organization's list.
 */
export async function seedOf(
  fields: Fields,
  { principal, mint, receivedAt }: Asking,
  { id, organization, contact }: { id: string; organization: string; contact: string | undefined },
): Promise<ConversationSeed> {
  const { name, type, status, language, meta } = fields;
  const given = { name, type, status, ...(await categoryOf(fields, organization)), language, meta };
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

// Category and index follow each other, as they do when they are set later.
async function categoryOf(
  { category, categoryIndex }: Fields,
  organization: string,
): Promise<Pick<ConversationSeed, 'category' | 'categoryIndex'>> {
  if (category === undefined && categoryIndex === undefined) return {};
  const categories = (await organizationLine(organization))?.categories ?? [];
  const effects = categoryEffects({ category, categoryIndex }, categories);
  return Object.fromEntries(
    effects.flatMap((effect) =>
      effect.kind === 'set' && effect.value !== null ? [[effect.field, effect.value]] : [],
    ),
  );
}
