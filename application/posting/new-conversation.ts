import type { Static } from 'typebox';
import type { Effect } from '../../domain/conversations/change.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import { categoryEffects } from '../../domain/effects/setting.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';
import type { conversationInput } from '../schema/conversation-body.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { Post } from '../../domain/messages/post.ts';
import { insertContact } from '../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../store/conversations/contacts.ts';
import type { PostOutcome } from '../../workflows/client/conversations.ts';
import { announceContact } from './find-or-create-contact.ts';
import { buildCaller, draftMessages, dryRun } from './draft-messages.ts';

export type GivenFields = Omit<Static<typeof conversationInput>, 'contact' | 'organization' | 'messages'>;

/**
 * Returns the fields of a new conversation, whose creator is the first participant (spec 5.2).
 * Throws DomainError `unprocessable` for a categoryIndex outside the list, or a mismatch with the
 * category.
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
    // A contact is not a participant.
    ...(principal.isContact
      ? {}
      : { creator: { user: principal.user, organization: principal.organization, role: principal.role } }),
    ...Object.fromEntries(present),
  };
}

/**
 * Returns an upsert's changes (spec 5). Meta is merged by key; null removes. Throws as
 * `newConversationFields`.
 */
export async function upsertEffects(fields: GivenFields, organization: string): Promise<Effect[]> {
  const { name, language, meta = {} } = fields;
  const named = Object.entries({ name, language }).flatMap(([field, value]): Effect[] =>
    value === undefined ? [] : [{ kind: 'set', field: field as 'name' | 'language', value }],
  );
  const keys = Object.entries(meta).map(([key, value]): Effect => ({ kind: 'meta', key, value }));
  return [...named, ...(await categoryChanges(fields, organization)), ...keys];
}

// Keeps category and index consistent, as `/set` does.
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

interface Beginning {
  /** Secret and deterministic: concurrent requests mint the same ids. */
  names: { conversation: string; contact: string; slug: string };
  organization: string;
  request: PostingContext;
  deps: PostingDeps;
}

/**
 * Creates an anonymous contact with its conversation (spec 13.3). Idempotent, also across
 * processes. Throws DomainError for an invalid message before anything is stored.
 */
export async function beginConversation(
  input: MessageInput,
  { names, organization, request, deps }: Beginning,
): Promise<PostOutcome & { drafts: MessageDraft[] }> {
  const { contact } = names;
  const seed: NewConversation = {
    id: names.conversation,
    slug: names.slug,
    organization,
    contact,
    type: 'contact',
    createdBy: contact,
    createdAt: request.receivedAt,
  };
  const posting = { principal: request.principal, origin: 'message' as const, place: seed };
  const drafts = await draftMessages([input], { request, posting, deps });
  const post: Post = { caller: buildCaller(posting), messages: drafts, create: seed };
  dryRun(post, request.receivedAt);
  const stored = newContact(seed, contact);
  await insertContact(stored);
  await announceContact(stored, { request, deps });
  return { ...(await deps.conversations.post(seed.id, post)), drafts };
}

function newContact({ id, organization, createdAt }: NewConversation, contact: string): ContactDocument {
  const now = new Date(createdAt);
  return {
    _id: contact,
    organization,
    conversation: id,
    profile: {},
    meta: {},
    createdBy: contact,
    createdAt: now,
    updatedAt: now,
  };
}
