import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decidePost } from '../../domain/conversations/decide.ts';
import { assertFewDeliveriesOfParts } from '../../domain/delivery/delivery-bounds.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Post } from '../../domain/messages/post.ts';
import type { PostingContext, PostingDeps } from '../posting/posting-context.ts';
import { buildCaller } from '../posting/draft-messages.ts';
import { prepareMessages } from '../posting/prepare-messages.ts';
import { prepareUpsert } from '../posting/prepare-upsert.ts';
import type { Upserted } from '../posting/prepare-upsert.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { loadConversation } from '../../store/conversations/commits.ts';
import { findOrganizationSubscribers } from '../../store/delivery/services.ts';
import { findExistingMessages } from '../../store/conversations/processed-messages.ts';
import { withPathPrefix } from './result-parts.ts';
import type { ResultPart } from './result-parts.ts';

export interface PreparedPart {
  path: string;
  conversation: string;
  organization: string;
  isNew: boolean;
  profile?: ContactProfile;
  post: Post;
  /** Posts the part. Idempotent. */
  perform: () => Promise<PostedIds>;
}

interface PostedIds {
  conversation: string;
  messages: string[];
}

interface EventPostingContext {
  request: PostingContext;
  deps: PostingDeps;
}

/**
 * Prepares an event: all parts are posted or none. Throws DomainError `unprocessable` for the first
 * invalid part. Several parts are dry-run; a single part is checked when posted.
 */
export async function prepareEvent(
  parts: ResultPart[],
  context: EventPostingContext,
): Promise<PreparedPart[]> {
  if (parts.length > 1) return dryRunEvent(parts, context);
  return Promise.all(
    parts.map(async (part) => {
      const ready = await withPathPrefix(part.path, () => preparePart(part, context));
      return { ...ready, perform: () => withPathPrefix(part.path, ready.perform) };
    }),
  );
}

/** Checks each part against its conversation's current state, without posting. */
export async function dryRunEvent(
  parts: ResultPart[],
  { request, deps }: EventPostingContext,
): Promise<PreparedPart[]> {
  const states = new Map<string, ConversationState>();
  const prepared: PreparedPart[] = [];
  const waiting: PreparedPart[] = [];
  // Sequential: a repeated run must mint the same ids.
  for (const part of parts) {
    const ready = await withPathPrefix(part.path, () => preparePart(part, { request, deps }));
    const isDone = await withPathPrefix(part.path, () => dryRunPart(ready, states, request.receivedAt));
    prepared.push(isDone ? { ...ready, perform: () => Promise.resolve(isDone) } : ready);
    if (!isDone) waiting.push(ready);
  }
  await assertDeliveryLimit(waiting);
  return prepared;
}

async function assertDeliveryLimit(parts: readonly PreparedPart[]): Promise<void> {
  const counted = parts.map(async ({ organization, post }) => {
    return { messages: post.messages.length, services: await findOrganizationSubscribers(organization) };
  });
  assertFewDeliveriesOfParts(await Promise.all(counted));
}

async function preparePart(part: ResultPart, { request, deps }: EventPostingContext): Promise<PreparedPart> {
  const origin = 'event' as const;
  const { path } = part;
  if (part.kind === 'upsert') {
    const { profile, conversation, organization, isNew, post, upsert } = await prepareUpsert(part.input, {
      request,
      deps,
      origin,
    });
    const perform = () => upsert().then(toPostedIds, rethrowAsUnavailable);
    return { path, conversation, organization, isNew, profile, post, perform };
  }
  const { conversation, messages } = part.input;
  const ready = await prepareMessages(messages, { request, conversation, origin, deps });
  return {
    path,
    conversation,
    organization: ready.posting.place.organization,
    isNew: false,
    post: { caller: buildCaller(ready.posting), messages: ready.drafts },
    async perform() {
      return toPostedIds({ conversation, posted: (await ready.post()).posted });
    },
  };
}

function toPostedIds({ conversation, posted }: Pick<Upserted, 'conversation' | 'posted'>): PostedIds {
  return { conversation, messages: posted.map(({ id }) => id) };
}

// The conversation is being deleted with its contact; a retry creates both again.
function rethrowAsUnavailable(error: unknown): never {
  const gone = error instanceof DomainError && error.code === 'not_found';
  throw gone ? new DomainError('unavailable', 'The conversation is being deleted.') : error;
}

// Applies the conversation's own rules. Returns the ids if an unfinished run stored all messages.
async function dryRunPart(
  { conversation, post }: PreparedPart,
  states: Map<string, ConversationState>,
  now: string,
): Promise<PostedIds | undefined> {
  const before = states.get(conversation) ?? (await loadConversation(conversation)).state;
  const stored = await findExistingMessages(conversation, {
    ids: post.messages.map(({ id }) => id),
    externalIds: post.messages.flatMap(({ externalId }) => externalId ?? []),
  });
  const { state } = decidePost(before, post, {
    now,
    findKnown: ({ id, externalId }) =>
      stored.find((one) => one.id === id || (externalId !== undefined && one.externalId === externalId)),
  });
  states.set(conversation, state);
  const ids = post.messages.map(({ id }) => id);
  const stands = ids.every((id) => stored.some((one) => one.id === id));
  return stands ? { conversation, messages: ids } : undefined;
}
