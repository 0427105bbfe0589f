import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { Effect } from '../../domain/conversations/change.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import { assertAcceptableFirstPost } from '../../domain/conversations/first-post.ts';
import type { FirstPost } from '../../domain/conversations/first-post.ts';
import { categoryEffects } from '../../domain/effects/setting.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { assertValidMeta } from '../../domain/free-form.ts';
import type { Post } from '../../domain/messages/post.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { releaseContact } from '../../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../../store/conversations/contacts.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { choosePermittedOrganization } from '../auth/principal.ts';
import type { conversationInput } from '../../schema/conversation-body.ts';
import {
  announceContact,
  changedPaths,
  findContactByIdentifiers,
  findReachableContact,
  joinContact,
  normalProfile,
  profileWithoutBlanks,
  withoutBlanks,
} from './contacts.ts';
import type { IdentifierProof, NamedContact } from './contacts.ts';
import { buildCaller, draftMessages } from './draft-messages.ts';
import type { PostingContext, PreparedPost, SentPost } from './posting-context.ts';

/** An upsert (spec 5.7) if `contact` is an object, else a create (spec 5.6). */
export type StartInput = Static<typeof conversationInput>;

export interface StartContext extends PostingContext, IdentifierProof {
  /** Ids for new records, the same when a request is repeated. */
  names?: { conversation: string; contact: string; slug: string };
}

export interface PreparedStart extends PreparedPost {
  isNew: boolean;
  profile: ContactProfile | undefined;
}

const MAX_TRIES = 10;
const WAIT_MS = 200;

/**
 * Creates a conversation, or posts an upsert into the contact's conversation. Stores nothing for an
 * invalid request. Retries while the contact is being deleted.
 */
export async function startConversation(input: StartInput, context: StartContext): Promise<SentPost> {
  for (let tries = 1; ; tries++) {
    const { send } = await prepareStart(input, context);
    try {
      return await send();
    } catch (error) {
      // A retry with the same `names` would find the same deleted records.
      if (!isNotFound(error) || context.names || tries === MAX_TRIES) throw error;
    }
    await sleep(WAIT_MS);
  }
}

export async function prepareStart(given: StartInput, context: StartContext): Promise<PreparedStart> {
  const { principal, ids, receivedAt } = context;
  const input = removeBlanks(given);
  assertComplete(input, principal);
  const organization = await choosePermittedOrganization(principal, input.organization);
  const { names = { contact: ids.newId(), conversation: ids.newId(), slug: ids.newSlug() } } = context;
  const { known, profile } = await findNamedContact(input, organization, context);
  // A create must not post into an existing conversation.
  const existing = profile && known?.conversation;
  const seed = {
    ...(await buildFields(input, organization, context)),
    id: existing ?? names.conversation,
    slug: names.slug,
    ...definedFields({ contact: known?._id ?? (profile && names.contact) }),
  };
  const posting = { ...context, place: seed };
  const post = {
    caller: buildCaller(posting),
    messages: await draftMessages(input.messages ?? [], posting),
    create: seed,
    ...(profile && { reopen: true, amends: await buildUpsertEffects(input, organization) }),
    ...(profile && known && { profile: changedPaths(known.profile, profile) }),
  };
  if (existing === undefined) assertAcceptableFirstPost(post, receivedAt);
  const fresh = profile && buildContact(seed, names.contact, profile);
  const send = () => sendStart(post, { known, fresh }, context);
  return { place: seed, post, isNew: existing === undefined, profile, send };
}

function removeBlanks({ contact, ...fields }: StartInput): StartInput {
  return typeof contact === 'object'
    ? { ...withoutBlanks(fields), contact: { profile: profileWithoutBlanks(contact.profile) } }
    : withoutBlanks({ ...fields, contact });
}

function assertComplete(
  { contact, organization, messages, meta }: StartInput,
  { isContact }: PostingContext['principal'],
): void {
  if (typeof contact === 'object') {
    const { email, telephone } = contact.profile;
    if (organization === undefined) throw invalidRequest('organization', 'is required');
    // A contact who writes on the chat page may be anonymous.
    if (email === undefined && telephone === undefined && !isContact) {
      throw invalidRequest('contact.profile', 'needs an email or a telephone');
    }
    if (!messages?.length) throw invalidRequest('messages', 'needs at least one message');
  }
  if (meta) assertValidMeta(meta);
}

async function findNamedContact(
  { contact }: StartInput,
  organization: string,
  { principal, isProved }: StartContext,
): Promise<{ known?: ContactDocument | undefined; profile?: ContactProfile }> {
  if (contact === undefined) return {};
  if (typeof contact === 'string')
    return { known: await findReachableContact(principal, contact, organization) };
  const { country } = (await organizationContext(organization)) ?? {};
  const profile = normalProfile(contact.profile, { country, path: 'contact.profile' });
  const known = await findContactByIdentifiers(organization, profile, { isProved });
  return { profile, known: known ?? undefined };
}

/** Makes the creator the first participant, unless the creator is a contact (spec 5.2). */
async function buildFields(
  input: StartInput,
  organization: string,
  { principal, receivedAt }: PostingContext,
): Promise<Omit<NewConversation, 'id' | 'slug' | 'contact'>> {
  const { user, role, isContact } = principal;
  const { name, type, status, language, meta } = input;
  const categories = (await buildCategoryEffects(input, organization)).flatMap((effect) =>
    effect.kind === 'set' ? [[effect.field, effect.value]] : [],
  );
  return {
    organization,
    createdBy: user,
    createdAt: receivedAt,
    ...(isContact ? {} : { creator: { user, organization: principal.organization, role } }),
    ...definedFields({ name, type, status, ...Object.fromEntries(categories), language, meta }),
  };
}

/** In `meta`, null removes a key. */
async function buildUpsertEffects(input: StartInput, organization: string): Promise<Effect[]> {
  const { name, language, meta = {} } = input;
  return [
    ...Object.entries(definedFields({ name, language })).map(([field, value]): Effect => {
      return { kind: 'set', field: field as 'name' | 'language', value };
    }),
    ...(await buildCategoryEffects(input, organization)),
    ...Object.entries(meta).map(([key, value]): Effect => ({ kind: 'meta', key, value })),
  ];
}

/** Keeps category and index consistent, as `/set` does. */
async function buildCategoryEffects(
  { category, categoryIndex }: StartInput,
  organization: string,
): Promise<Effect[]> {
  if (category === undefined && categoryIndex === undefined) return [];
  const categories = (await organizationContext(organization))?.categories ?? [];
  return categoryEffects({ category, categoryIndex }, categories);
}

function buildContact(
  { id, organization, createdBy, createdAt }: NewConversation,
  contact: string,
  profile: ContactProfile,
): ContactDocument {
  const now = new Date(createdAt);
  return {
    _id: contact,
    organization,
    conversation: id,
    profile,
    meta: {},
    createdBy,
    createdAt: now,
    updatedAt: now,
  };
}

async function sendStart(post: FirstPost, named: NamedContact, context: StartContext): Promise<SentPost> {
  const { create, messages: drafts } = post;
  const { conversations } = context.deps;
  const joined = await joinContact(named, create.id, context);
  if (!joined) return { conversation: create.id, drafts, ...(await conversations.post(create.id, post)) };
  const { contact, conversation, isNew } = joined;
  const { _id } = contact;
  const complete: Post = {
    ...post,
    create: { ...create, id: conversation, contact: _id },
    ...(named.fresh && { profile: changedPaths(isNew ? {} : contact.profile, named.fresh.profile) }),
    ...(isNew && { madeContact: true }),
  };
  try {
    const outcome = await conversations.post(conversation, complete);
    // The process that created the contact may have crashed before publishing `contact.create`.
    if (!isNew && outcome.created && contact.conversation !== undefined)
      await announceContact(contact, context);
    return { conversation, drafts, ...outcome };
  } catch (error) {
    if (isNotFound(error)) await releaseContact({ _id, conversation });
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'not_found';
}
