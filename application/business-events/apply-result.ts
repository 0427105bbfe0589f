import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decidePost } from '../../domain/conversations/decide.ts';
import { assertFewDeliveriesOfParts } from '../../domain/delivery/delivery-bounds.ts';
import { DomainError } from '../../domain/errors.ts';
import { loadConversation } from '../../store/conversations/commits.ts';
import { findExistingMessages } from '../../store/conversations/processed-messages.ts';
import { findOrganizationSubscribers } from '../../store/delivery/services.ts';
import { prepareMessages } from '../posting/draft-messages.ts';
import type { PostingContext, PreparedPost } from '../posting/posting-context.ts';
import { prepareStart } from '../posting/start-conversation.ts';
import type { PreparedStart } from '../posting/start-conversation.ts';
import { withPathPrefix } from './result-parts.ts';
import type { ResultPart } from './result-parts.ts';

interface PostedPart {
  conversation: string;
  messages: string[];
}

export interface PreparedPart extends PreparedPost, Partial<Pick<PreparedStart, 'isNew' | 'profile'>> {
  path: string;
  /** An earlier, unfinished run has posted the part. */
  isStored?: boolean;
}

/**
 * Checks all parts before it posts one. Throws DomainError `unprocessable` for the first invalid
 * part.
 */
export async function applyResult(
  parts: ResultPart[],
  context: PostingContext,
  posted: (part: PostedPart) => void,
): Promise<void> {
  const prepared =
    parts.length > 1
      ? await dryRunResult(parts, context)
      : await Promise.all(parts.map((part) => withPathPrefix(part.path, () => preparePart(part, context))));
  for (const part of prepared) posted(await withPathPrefix(part.path, () => sendPart(part)));
}

export async function dryRunResult(parts: ResultPart[], context: PostingContext): Promise<PreparedPart[]> {
  const states = new Map<string, ConversationState>();
  const prepared: PreparedPart[] = [];
  // Sequential: a repeated run must mint the same ids.
  for (const part of parts) {
    prepared.push(
      await withPathPrefix(part.path, async () => {
        const ready = await preparePart(part, context);
        return { ...ready, isStored: await dryRunPart(ready, states, context.receivedAt) };
      }),
    );
  }
  const waiting = prepared.filter(({ isStored }) => !isStored);
  assertFewDeliveriesOfParts(
    await Promise.all(
      waiting.map(async ({ place, post }) => ({
        messages: post.messages.length,
        services: await findOrganizationSubscribers(place.organization),
      })),
    ),
  );
  return prepared;
}

async function preparePart(part: ResultPart, context: PostingContext): Promise<PreparedPart> {
  const { path } = part;
  if (part.kind === 'upsert') return { path, ...(await prepareStart(part.input, context)) };
  const { conversation, messages } = part.input;
  return { path, ...(await prepareMessages(messages, conversation, context)) };
}

async function sendPart({ place, post, profile, isStored, send }: PreparedPart): Promise<PostedPart> {
  if (isStored) return { conversation: place.id, messages: post.messages.map(({ id }) => id) };
  try {
    const { conversation, posted } = await send();
    return { conversation, messages: posted.map(({ id }) => id) };
  } catch (error) {
    const isBeingDeleted = profile && error instanceof DomainError && error.code === 'not_found';
    // Contact and conversation are being deleted: the next run creates both again.
    throw isBeingDeleted ? new DomainError('unavailable', 'The conversation is being deleted.') : error;
  }
}

/**
 * Applies the post to the state after earlier parts, and stores nothing. Returns whether an
 * unfinished run has stored the messages.
 */
async function dryRunPart(
  { place: { id: conversation }, post }: PreparedPart,
  states: Map<string, ConversationState>,
  now: string,
): Promise<boolean> {
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
  return post.messages.every(({ id }) => stored.some((one) => one.id === id));
}
