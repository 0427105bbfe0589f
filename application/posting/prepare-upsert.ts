import type { Static } from 'typebox';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import { assertValidMeta } from '../../domain/free-form.ts';
import { DomainError, invalidRequest, notFound } from '../../domain/errors.ts';
import type { Post, PostedMessage } from '../../domain/messages/post.ts';
import type { ContactDocument, ContactProfile } from '../../store/conversations/contacts.ts';
import { assignConversation, releaseContact } from '../../store/conversations/contacts.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';
import type { conversationInput } from '../schema/conversation-body.ts';
import {
  announceContact,
  findContactByIdentifiers,
  findOrCreateContact,
  keepTelephone,
} from './find-or-create-contact.ts';
import { buildCaller, draftMessages, dryRun } from './draft-messages.ts';
import type { Posting } from './facts.ts';
import type { IdentifierProof } from './find-or-create-contact.ts';
import { choosePermittedOrganization } from '../auth/principal.ts';
import { changedPaths, normalProfile } from './profile.ts';
import { profileWithoutBlanks, withoutBlanks } from './telephone.ts';
import { upsertEffects, newConversationFields } from './new-conversation.ts';

/** Body of an upsert (spec 5.7). */
export type UpsertInput = Omit<Static<typeof conversationInput>, 'contact'> & {
  contact: { profile: ContactProfile };
};

export interface Upserted {
  conversation: string;
  created: boolean;
  posted: PostedMessage[];
}

/** An upsert that passed all checks except those against an existing state. */
export interface PreparedUpsert {
  profile: ContactProfile;
  /** The contact's conversation, or the conversation to create. */
  conversation: string;
  organization: string;
  isNew: boolean;
  post: Post;
  upsert: () => Promise<Upserted>;
}

interface UpsertContext extends Pick<Posting, 'origin'>, IdentifierProof {
  request: PostingContext;
  deps: PostingDeps;
}

/**
 * Finds or creates the contact and its conversation (spec 5.7). Throws DomainError if invalid.
 * Stores nothing before `upsert`. Concurrent upserts create one of each.
 */
export async function prepareUpsert(
  given: UpsertInput,
  { request, deps, origin, isProved = false }: UpsertContext,
): Promise<PreparedUpsert> {
  const { principal, ids, receivedAt } = request;
  const input = {
    ...withoutBlanks(given),
    contact: { profile: profileWithoutBlanks(given.contact.profile) },
  };
  assertCompleteUpsert(input);
  const organization = await choosePermittedOrganization(principal, input.organization);
  const { country } = (await organizationContext(organization)) ?? {};
  const profile = normalProfile(input.contact.profile, { country, path: 'contact.profile' });
  const fresh = { contact: ids.newId(), conversation: ids.newId() };
  const known = await findContactByIdentifiers(organization, profile, { isProved });
  const contact = known?._id ?? fresh.contact;
  const seed = await newConversationFields(input, request, {
    id: known?.conversation ?? fresh.conversation,
    organization,
    contact,
  });
  const posting = { principal, origin, place: seed };
  const messages = await draftMessages(input.messages ?? [], { request, posting, deps });
  const amends = await upsertEffects(input, organization);
  const changed = known ? { profile: changedPaths(known.profile, keepTelephone(profile, known)) } : {};
  const post: Post = {
    caller: buildCaller(posting),
    messages,
    create: seed,
    reopen: true,
    amends,
    ...changed,
  };
  // A refused request must create nothing.
  if (!known?.conversation) dryRun(post, receivedAt);
  const upsert = async () => {
    const met = known ?? (await findOrCreateContact(newContact(request, seed, profile), { isProved }));
    const publishContact = () => announceContact(met, { request, deps });
    // Created now, or by an earlier attempt of this request.
    const isOurs = met._id === fresh.contact;
    if (isOurs) await publishContact();
    const upserted = await postToContact(met, { post, seed, profile, madeContact: isOurs, deps });
    // The process that created the contact may have crashed before publishing `contact.create`.
    if (!isOurs && upserted.created && met.conversation !== undefined) await publishContact();
    return upserted;
  };
  return { profile, conversation: seed.id, organization, isNew: !known?.conversation, post, upsert };
}

interface ExistingUpsert {
  post: Post;
  seed: NewConversation;
  profile: ContactProfile;
  madeContact: boolean;
  deps: PostingDeps;
}

async function postToContact(
  contact: ContactDocument,
  { post: prepared, seed, profile, madeContact, deps }: ExistingUpsert,
): Promise<Upserted> {
  const { _id } = contact;
  const conversation = contact.conversation ?? (await assignConversation(_id, seed.id));
  if (conversation === null) throw notFound('The contact');
  const post: Post = {
    ...prepared,
    create: { ...seed, id: conversation, contact: _id },
    profile: changedPaths(madeContact ? {} : contact.profile, keepTelephone(profile, contact)),
    ...(madeContact ? { madeContact } : {}),
  };
  try {
    const { created, posted } = await deps.conversations.post(conversation, post);
    return { conversation, created, posted };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') {
      await releaseContact({ _id, conversation });
    }
    throw error;
  }
}

function newContact(
  { principal, receivedAt }: PostingContext,
  { id, organization, contact = '' }: NewConversation,
  profile: ContactProfile,
): ContactDocument {
  const now = new Date(receivedAt);
  return {
    _id: contact,
    organization,
    conversation: id,
    profile,
    meta: {},
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
}

function assertCompleteUpsert({ organization, messages, meta, contact }: UpsertInput): void {
  const { email, telephone } = contact.profile;
  if (organization === undefined) throw invalidRequest('organization', 'is required');
  if (email === undefined && telephone === undefined) {
    throw invalidRequest('contact.profile', 'needs an email or a telephone');
  }
  if (!messages || messages.length === 0) throw invalidRequest('messages', 'needs at least one message');
  if (meta) assertValidMeta(meta);
}
