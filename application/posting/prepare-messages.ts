import type { MessageInput } from '../../domain/messages/draft.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import { notFound, DomainError } from '../../domain/errors.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';
import type { PostOutcome } from '../../workflows/client/conversations.ts';
import { draftMessages, buildCaller } from './draft-messages.ts';
import type { Posting } from './facts.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { SPOKEN_TYPES } from '../../domain/messages/message.ts';
import { payloadMessages } from '../../domain/messages/post.ts';
import { includesScope } from '../../domain/scope.ts';
import { bodyCheck } from '../schema/check.ts';
import { isOffered } from '../../store/conversations/find-messages.ts';
import { messageInput } from '../schema/message-body.ts';

/** Messages that passed all checks except those against the state. */
export interface PreparedMessages {
  drafts: MessageDraft[];
  posting: Posting;
  post: () => Promise<PostOutcome>;
}

/**
 * Throws DomainError `not_found` if the caller cannot see the conversation, else for the first
 * invalid message. Stores nothing before `post`.
 */
export async function prepareMessages(
  inputs: MessageInput[],
  {
    request,
    conversation,
    origin,
    deps,
  }: { request: PostingContext; conversation: string; deps: PostingDeps } & Pick<Posting, 'origin'>,
): Promise<PreparedMessages> {
  const place = await findConversationRef(request.principal.reach, conversation);
  if (!place) throw notFound('The conversation');
  const posting = { principal: request.principal, origin, place };
  const drafts = await draftMessages(inputs, { request, posting, deps });
  const post = () => postWithPayloads(drafts, { request, posting, deps });
  return { drafts, posting, post };
}

const checkMessage = bodyCheck(messageInput, 'whole');

/** With such an error a payload is plain text. */
const INVALID_CODES: readonly ErrorCode[] = ['invalid_request', 'unprocessable', 'forbidden', 'conflict'];

interface PayloadContext {
  request: PostingContext;
  posting: Posting;
  deps: PostingDeps;
}

/**
 * Posts the drafts and, after each click, the messages in its payload as the contact (spec 6.9).
 * Skips payloads with invalid messages. Returns the results of the drafts only.
 */
async function postWithPayloads(drafts: MessageDraft[], context: PayloadContext): Promise<PostOutcome> {
  const { posting, deps } = context;
  const post = (messages: MessageDraft[]) =>
    deps.conversations.post(posting.place.id, { caller: buildCaller(posting), messages });
  // Sequential: a retry must mint the same ids.
  const behind: (MessageDraft[] | null)[] = [];
  for (const draft of drafts) behind.push(await nullIfInvalid(() => buildPayloadMessages(draft, context)));
  if (behind.every((one) => !one || one.length === 0)) return post(drafts);
  const all = drafts.flatMap((draft, at) => [draft, ...(behind[at] ?? [])]);
  const outcome = await nullIfInvalid(() => post(all));
  if (!outcome) return post(drafts);
  const own = new Set(drafts);
  return { ...outcome, posted: outcome.posted.filter((_, at) => own.has(all[at] as MessageDraft)) };
}

async function buildPayloadMessages(
  draft: MessageDraft,
  { request, posting, deps }: PayloadContext,
): Promise<MessageDraft[]> {
  if (draft.type !== 'postback' || draft.role !== 'contact') return [];
  const messages = payloadMessages(draft.text);
  if (!messages) return [];
  const { principal } = request;
  const trusted = includesScope(principal.scope, 'agent');
  // Guests may send only payloads that were offered to them.
  if (!trusted && !(await isOffered(posting.place.id, draft.text))) return [];
  const inputs = messages.map((message) => toContactInput(checkMessage(message) as MessageInput, draft));
  const clicking = { ...request, principal: trusted ? principal : { ...principal, scope: 'agent' as const } };
  return draftMessages(inputs, { request: clicking, posting, deps });
}

function toContactInput(
  { user: _, externalId: __, ...input }: MessageInput,
  { touchpoint, delay }: MessageDraft,
): MessageInput {
  const spoken = SPOKEN_TYPES.includes(input.type ?? 'chat');
  return {
    touchpoint,
    ...(delay ? { delay } : {}),
    ...input,
    ...(spoken ? { role: 'contact' as const } : {}),
  };
}

async function nullIfInvalid<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && INVALID_CODES.includes(error.code)) return null;
    throw error;
  }
}
