import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { Person } from '../../domain/channels/identity.ts';
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
  withoutBlanks,
} from './contacts.ts';
import { assertNotBlocked } from './blocked.ts';
import type { IdentifierProof, NamedContact } from './contacts.ts';
import { buildCaller, draftMessages } from './draft-messages.ts';
import type { PostingContext, PreparedPost, SentPost } from './posting-context.ts';
import {
  contactWithoutBlanks,
  findIdentityContact,
  findUpsertContact,
  hasIdentifier,
  listReplaced,
  mergeAttributes,
  resolveIdentity,
  updateAttributes,
} from './upsert-contact.ts';
import type { GivenContact, GivenIdentity } from './upsert-contact.ts';

/** An upsert (spec 5.7) if `contact` is an object, else a create (spec 5.6). */
export type StartInput = Static<typeof conversationInput>;

export interface StartContext extends PostingContext, IdentifierProof {
  /** Ids for new records, the same when a request is repeated. */
  names?: { conversation: string; contact: string; slug: string };
}

export interface PreparedStart extends PreparedPost {
  isNew: boolean;
  profile: ContactProfile | undefined;
  /** Identifiers of the upsert that belong to other contacts (spec 15.1). */
  hints?: string[] | undefined;
}

const MAX_TRIES = 10;
const WAIT_MS = 200;

/**
 * Creates a conversation, or posts an upsert into the contact's conversation. Stores nothing for an
 * invalid request. Retries while the contact is being deleted.
 */
export async function startConversation(input: StartInput, context: StartContext): Promise<SentPost> {
  for (let tries = 1; ; tries++) {
    const { send, hints } = await prepareStart(input, context);
    try {
      return { ...(await send()), ...definedFields({ hints }) };
    } catch (error) {
      // A retry with the same `names` would find the same deleted records.
      if (!isNotFound(error) || context.names || tries === MAX_TRIES) throw error;
    }
    await sleep(WAIT_MS);
  }
}

export async function prepareStart(input: StartInput, context: StartContext): Promise<PreparedStart> {
  const { principal, ids, receivedAt } = context;
  const fields = withoutBlanks(input);
  if (fields.meta) assertValidMeta(fields.meta);
  const organization = await choosePermittedOrganization(principal, fields.organization);
  const { names = { contact: ids.newId(), conversation: ids.newId(), slug: ids.newSlug() } } = context;
  const { known, given, find, hints } = await findNamedContact(fields, organization, context);
  assertNotBlocked(known?.blocked, context);
  // A create must not post into an existing conversation.
  const existing = given && known?.conversation;
  const seed = {
    ...(await buildFields(fields, organization, context)),
    id: existing ?? names.conversation,
    slug: names.slug,
    ...definedFields({ contact: known?._id ?? (given && names.contact) }),
  };
  const posting = { ...context, place: seed, person: given && buildPerson(known, given) };
  const messages = await draftMessages(fields.messages ?? [], posting);
  const post = {
    caller: buildCaller(posting),
    messages,
    create: seed,
    ...(given && {
      reopen: messages.length > 0,
      amends: await buildUpsertEffects(fields, organization),
      amendId: ids.newId(),
    }),
    ...(given && known && { profile: changedPaths(known.profile, given.profile) }),
  };
  if (existing === undefined) assertAcceptableFirstPost(post, receivedAt);
  const attributes = given && mergeAttributes(known ?? {}, given);
  const fresh = given && buildContact(seed, names.contact, { profile: given.profile, ...attributes });
  const updateId = given ? ids.newId() : '';
  const send = () => sendStart(post, { known, fresh, given, find }, { ...context, updateId });
  return { place: seed, post, isNew: existing === undefined, profile: given?.profile, hints, send };
}

interface FoundContact {
  known?: ContactDocument | undefined;
  /** Only an upsert gives a contact. */
  given?: GivenContact | undefined;
  find: NamedContact['find'];
  hints?: string[];
}

/** Returns the contact as the upsert leaves it, for the address on a channel. */
function buildPerson(known: ContactDocument | undefined, given: GivenContact): Person {
  const { identities } = { ...known, ...mergeAttributes(known ?? {}, given) };
  return { profile: { ...known?.profile, ...given.profile }, identities };
}

async function findNamedContact(
  { contact, match }: StartInput,
  organization: string,
  { principal, isProved, receivedAt }: StartContext,
): Promise<FoundContact> {
  if (typeof contact !== 'object') {
    const known = contact && (await findReachableContact(principal, contact, organization));
    return { known: known || undefined, find: () => Promise.resolve(null) };
  }
  const { country } = (await organizationContext(organization)) ?? {};
  const written = contactWithoutBlanks(contact);
  const profile = normalProfile(written.profile, { country, path: 'contact.profile' });
  const identity = principal.isContact ? undefined : await resolveIdentity(organization, contact, receivedAt);
  const given = { ...written, profile, match, ...definedFields({ identity }) };
  // A contact who writes on the chat page may be anonymous.
  if (!principal.isContact && !hasIdentifier(given)) {
    throw invalidRequest('contact.profile', 'needs an email or a telephone, or the contact an externalId');
  }
  const find = () =>
    principal.isContact
      ? findContactByIdentifiers(organization, profile, { isProved })
      : findUpsertContact(organization, given);
  if (identity) return findByIdentity(organization, { ...given, identity });
  return { given, find, known: (await find()) ?? undefined };
}

async function findByIdentity(
  organization: string,
  named: GivenContact & { identity: GivenIdentity },
): Promise<FoundContact> {
  const { known, given, hints } = await findIdentityContact(organization, named);
  const find = async () => (await findIdentityContact(organization, named)).known;
  return { given, find, known: known ?? undefined, hints };
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
  fields: Pick<ContactDocument, 'profile'> & Partial<ContactDocument>,
): ContactDocument {
  const now = new Date(createdAt);
  return {
    _id: contact,
    organization,
    conversation: id,
    meta: {},
    ...fields,
    createdBy,
    createdAt: now,
    updatedAt: now,
  };
}

async function sendStart(
  post: FirstPost,
  named: NamedContact & Pick<FoundContact, 'given'>,
  context: StartContext & { updateId: string },
): Promise<SentPost> {
  const { create, messages: drafts } = post;
  const { conversations } = context.deps;
  const { given } = named;
  const joined = await joinContact(named, create.id, context);
  if (!joined) return { conversation: create.id, drafts, ...(await conversations.post(create.id, post)) };
  const { contact, conversation, isNew } = joined;
  const { _id } = contact;
  const replaced = given && !isNew ? listReplaced(contact, given) : [];
  if (given && !isNew) await updateAttributes(contact, given, context);
  const complete: Post = {
    ...post,
    create: { ...create, id: conversation, contact: _id },
    ...(given && { profile: changedPaths(isNew ? {} : contact.profile, given.profile) }),
    ...(isNew && { madeContact: true }),
  };
  try {
    const outcome = await conversations.post(conversation, complete);
    // The process that created the contact may have crashed before publishing `contact.create`.
    if (!isNew && outcome.created && contact.conversation !== undefined)
      await announceContact(contact, context);
    return { conversation, drafts, replaced, ...outcome };
  } catch (error) {
    if (isNotFound(error)) await releaseContact({ _id, conversation });
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'not_found';
}
