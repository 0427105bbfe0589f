import type { Static } from 'typebox';
import type { Effect } from '../../domain/conversations/change.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import { categoryEffects } from '../../domain/effects/setting.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import type { PostingContext } from './posting-context.ts';
import type { conversationInput } from '../schema/conversation-body.ts';

/** What a caller says of a conversation, whether it is there or to be made. */
export type GivenFields = Omit<Static<typeof conversationInput>, 'contact' | 'organization' | 'messages'>;

/**
 * What a conversation that a request may make is made of. Its creator is the first participant
 * (spec 5.2). Throws DomainError `unprocessable` for a categoryIndex that is out of the
 * organization's list, or not that of the category.
 */
export async function newConversationFields(
  fields: GivenFields,
  { principal, ids, receivedAt }: PostingContext,
  { id, organization, contact }: { id: string; organization: string; contact: string | undefined },
): Promise<NewConversation> {
  const { name, type, status, language, meta } = fields;
  const categories = settings(await categoryChanges(fields, organization));
  const given = { name, type, status, ...categories, language, meta };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    id,
    slug: ids.newSlug(),
    organization,
    ...(contact === undefined ? {} : { contact }),
    createdBy: principal.user,
    createdAt: receivedAt,
    // A contact is no user, and takes part without being listed.
    ...(principal.isContact
      ? {}
      : { creator: { user: principal.user, organization: principal.organization, role: principal.role } }),
    ...Object.fromEntries(present),
  };
}

/**
 * What an upsert that says this changes of a conversation that is there (spec 5): the fields it
 * names, and single keys of meta, of which null clears. Throws as `seedOf` does.
 */
export async function upsertEffects(fields: GivenFields, organization: string): Promise<Effect[]> {
  const { name, language, meta = {} } = fields;
  const named = Object.entries({ name, language }).flatMap(([field, value]): Effect[] =>
    value === undefined ? [] : [{ kind: 'set', field: field as 'name' | 'language', value }],
  );
  const keys = Object.entries(meta).map(([key, value]): Effect => ({ kind: 'meta', key, value }));
  return [...named, ...(await categoryChanges(fields, organization)), ...keys];
}

// Category and index follow each other, as they do when they are set later.
async function categoryChanges(
  { category, categoryIndex }: GivenFields,
  organization: string,
): Promise<Effect[]> {
  if (category === undefined && categoryIndex === undefined) return [];
  const categories = (await organizationContext(organization))?.categories ?? [];
  return categoryEffects({ category, categoryIndex }, categories);
}

function settings(effects: Effect[]): Pick<NewConversation, 'category' | 'categoryIndex'> {
  return Object.fromEntries(
    effects.flatMap((effect) =>
      effect.kind === 'set' && effect.value !== null ? [[effect.field, effect.value]] : [],
    ),
  );
}
