import type { NewConversation } from '../../domain/conversations/conversation.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { Post } from '../../domain/messages/post.ts';
import { insertContact } from '../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../store/conversations/contacts.ts';
import type { PostOutcome } from '../../workflows/client/conversations.ts';
import { announceContact } from './announce-contact.ts';
import { buildCaller, draftMessages } from './draft-messages.ts';
import { dryRun } from './dry-run.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';

interface Beginning {
  /** Names that nobody else can make; the same ones for everybody who begins this conversation. */
  names: { conversation: string; contact: string; slug: string };
  organization: string;
  /** The principal is the contact. */
  request: PostingContext;
  deps: PostingDeps;
}

/**
 * Makes a contact of whom nothing is known with its conversation, by the first thing they say
 * (spec 13.3). However often and by however many processes it is done, there is one of each, and
 * what was said by others before stays. Throws DomainError for a message that is wrong, with
 * nothing stored.
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
