import type { Static } from 'typebox';
import type { ConversationSeed } from '../domain/conversation.ts';
import { refuseMeta } from '../domain/free-form.ts';
import type { Post, Posted } from '../domain/post.ts';
import { invalidRequest, notFound } from '../domain/refusal.ts';
import { announce } from '../store/announce.ts';
import type { ContactDocument, ContactProfile } from '../store/contacts.ts';
import { assignConversation } from '../store/contacts.ts';
import { organizationLine } from '../store/organizations.ts';
import type { Asking, PostingDeps } from './asking.ts';
import type { conversationInput } from './conversation-input.ts';
import { callerOf, draftMessages } from './draft-messages.ts';
import type { Posting } from './facts.ts';
import { contactByIdentifiers, meetContact } from './meet-contact.ts';
import { permittedOrganization } from './permitted-organization.ts';
import { presentContact } from './present-contact.ts';
import { normalProfile } from './profile.ts';
import { changedPaths } from './profile-changes.ts';
import { rehearse } from './rehearse.ts';
import { seedOf } from './seed.ts';

/** What an upsert says (spec 4.6). */
export type UpsertInput = Omit<Static<typeof conversationInput>, 'contact'> & {
  contact: { profile: ContactProfile };
};

/** What became of an upsert. */
export interface Upserted {
  conversation: string;
  /** Whether the conversation was made by it. */
  created: boolean;
  /** What became of its messages, in order. */
  posted: Posted[];
}

/** An upsert that stands every check but those against the state of a conversation that is there. */
export interface PreparedUpsert {
  /** The contact's conversation, or the one that would be made for it. */
  conversation: string;
  /** The conversation would be made. */
  isNew: boolean;
  post: Post;
  upsert: () => Promise<Upserted>;
}

/**
 * Prepares to find or make the contact with this telephone or email and its conversation, and to post the messages there (spec 4.6, contract 5). Throws
 * DomainError for whatever is wrong with it; nothing is stored before `upsert` is called. Of many at the same time one makes them.
 */
export async function prepareUpsert(
  input: UpsertInput,
  { asking, deps, origin }: { asking: Asking; deps: PostingDeps } & Pick<Posting, 'origin'>,
): Promise<PreparedUpsert> {
  const { principal, mint, receivedAt } = asking;
  refuseIncomplete(input);
  const organization = await permittedOrganization(principal, input.organization);
  const { country } = (await organizationLine(organization)) ?? {};
  const profile = normalProfile(input.contact.profile, { country, path: 'contact.profile' });
  const fresh = { contact: mint.id(), conversation: mint.id() };
  const known = await contactByIdentifiers(organization, profile);
  const contact = known?._id ?? fresh.contact;
  const seed = await seedOf(input, asking, {
    id: known?.conversation ?? fresh.conversation,
    organization,
    contact,
  });
  const posting = { principal, origin, place: seed };
  const messages = await draftMessages(input.messages ?? [], { asking, posting, deps });
  const post: Post = { caller: callerOf(posting), messages, create: seed, reopen: true };
  // A refused request leaves nothing behind: contact and conversation are made only when the messages would be taken.
  if (!known?.conversation) rehearse(post, receivedAt);
  const upsert = async () => {
    const met = known ?? (await meetContact(newContact(asking, seed, profile)));
    const tell = () => announceContact(met, { asking, deps });
    // Made now, or by this very request before the process died that had it.
    const isOurs = met._id === fresh.contact;
    if (isOurs) await tell();
    const upserted = await postTo(met, { post, seed, profile, deps });
    // Whoever made the contact together with a name for this conversation came no further, and may have told nobody.
    if (!isOurs && upserted.created && met.conversation !== undefined) await tell();
    return upserted;
  };
  return { conversation: seed.id, isNew: !known?.conversation, post, upsert };
}

interface Meeting {
  post: Post;
  seed: ConversationSeed;
  profile: ContactProfile;
  deps: PostingDeps;
}

async function postTo(contact: ContactDocument, { post, seed, profile, deps }: Meeting): Promise<Upserted> {
  const id = contact.conversation ?? (await assignConversation(contact._id, seed.id));
  if (id === null) throw notFound('The contact');
  const { created, posted } = await deps.conversations.post(id, {
    ...post,
    create: { ...seed, id, contact: contact._id },
    profile: changedPaths(contact.profile, profile),
  });
  return { conversation: id, created, posted };
}

function newContact(
  { principal, receivedAt }: Asking,
  { id, organization, contact = '' }: ConversationSeed,
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

function refuseIncomplete({ organization, contact, messages, meta }: UpsertInput): void {
  if (organization === undefined) throw invalidRequest('organization', 'is required');
  const { email, telephone } = contact.profile;
  if (email === undefined && telephone === undefined) {
    throw invalidRequest('contact.profile', 'needs an email or a telephone');
  }
  if (!messages || messages.length === 0) throw invalidRequest('messages', 'needs at least one message');
  if (meta) refuseMeta(meta);
}

async function announceContact(
  contact: ContactDocument,
  { asking: { principal }, deps }: { asking: Asking; deps: PostingDeps },
): Promise<void> {
  await announce(
    {
      // However often it is told, it is heard once.
      id: `${contact._id}-1`,
      name: 'contact.create',
      timestamp: contact.createdAt.toISOString(),
      organization: contact.organization,
      actor: { id: principal.user, kind: principal.role === 'bot' ? 'bot' : 'user' },
      data: { contact: presentContact(contact) },
    },
    deps.config,
  );
}
