import type { Static } from 'typebox';
import type { ConversationSeed } from '../../domain/conversation.ts';
import { refuseMeta } from '../../domain/free-form.ts';
import type { Post } from '../../domain/post.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import type { ContactDocument, ContactProfile } from '../../store/contacts.ts';
import { assignConversation } from '../../store/contacts.ts';
import { organizationLine } from '../../store/organizations.ts';
import { contactByIdentifiers, meetContact } from '../contacts/meet.ts';
import { normalProfile } from '../contacts/profile.ts';
import { changedPaths } from '../contacts/profile-changes.ts';
import { notFound } from '../errors.ts';
import { callerOf, draftMessages } from '../messages/post-messages.ts';
import { permittedOrganization } from '../organizations/permitted.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { rehearse } from './rehearse.ts';
import type { conversationInput } from './schema.ts';
import { seedOf, storedConversation } from './seed.ts';

type Upsert = Omit<Static<typeof conversationInput>, 'contact'> & { contact: { profile: ContactProfile } };

/**
 * Finds or makes the contact with this telephone or email and its conversation, and posts the messages there (spec 4.6, contract 5):
 * 201 when the conversation was made, else 200. Of many at the same time one makes them.
 */
export async function upsertConversation(request: ApiRequest<Upsert>, api: Api): Promise<Answer> {
  const { principal, body, mint } = request;
  refuseIncomplete(body);
  const organization = await permittedOrganization(principal, body.organization);
  const { country } = (await organizationLine(organization)) ?? {};
  const profile = normalProfile(body.contact.profile, { country, path: 'contact.profile' });
  const fresh = { contact: mint.id(), conversation: mint.id() };
  const known = await contactByIdentifiers(organization, profile);
  const contact = known?._id ?? fresh.contact;
  const seed = seedOf(request, { id: known?.conversation ?? fresh.conversation, organization, contact });
  const posting = { principal, origin: 'upsert' as const, place: seed };
  const messages = await draftMessages(body.messages ?? [], { request, posting, api });
  const post: Post = { caller: callerOf(posting), messages, create: seed, reopen: true };
  // A refused request leaves nothing behind: contact and conversation are made only when the messages would be taken.
  if (!known?.conversation) rehearse(post, request.receivedAt);
  const met = known ?? (await meetContact(newContact(request, seed, profile)));
  return postTo(request, api, { post, seed, contact: met, profile });
}

interface Meeting {
  post: Post;
  seed: ConversationSeed;
  contact: ContactDocument;
  profile: ContactProfile;
}

async function postTo(
  request: ApiRequest<Upsert>,
  api: Api,
  { post, seed, contact, profile }: Meeting,
): Promise<Answer> {
  const id = contact.conversation ?? (await assignConversation(contact._id, seed.id));
  if (id === null) throw notFound('The contact');
  const { created } = await api.temporal.conversations.post(id, {
    ...post,
    create: { ...seed, id, contact: contact._id },
    profile: changedPaths(contact.profile, profile),
  });
  return {
    status: created ? 201 : 200,
    body: await storedConversation(id, request, api),
    headers: { Location: `${api.config.publicUrl}/v2/conversations/${id}` },
  };
}

function newContact(
  { principal, receivedAt }: ApiRequest,
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

function refuseIncomplete({ organization, contact, messages, meta }: Upsert): void {
  if (organization === undefined) throw invalidRequest('organization', 'is required');
  const { email, telephone } = contact.profile;
  if (email === undefined && telephone === undefined) {
    throw invalidRequest('contact.profile', 'needs an email or a telephone');
  }
  if (!messages || messages.length === 0) throw invalidRequest('messages', 'needs at least one message');
  if (meta) refuseMeta(meta);
}
