import { CHANNEL_TYPES } from '../../domain/channels/channel-type.ts';
import { messageTouchpoints } from '../../domain/conversations/touchpoint.ts';
import {
  assertFewDeliveries,
  assertSmallEvents,
  mayRepeatMuch,
} from '../../domain/delivery/delivery-bounds.ts';
import { DomainError, invalidRequest, notFound, withinMessage } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { jsonBytes } from '../../domain/free-form.ts';
import { draftMessage } from '../../domain/messages/draft.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { SPOKEN_TYPES } from '../../domain/messages/message.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import { payloadMessages } from '../../domain/messages/post.ts';
import type { Post } from '../../domain/messages/post.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { includesScope } from '../../domain/scope.ts';
import { findConversation, findConversationRef } from '../../store/conversations/find-conversations.ts';
import { isOffered } from '../../store/conversations/find-messages.ts';
import { findOrganizationSubscribers } from '../../store/delivery/services.ts';
import type { PostOutcome } from '../../workflows/client/conversations.ts';
import { presentConversation } from '../presenters/presenters.ts';
import { bodyCheck } from '../../schema/check.ts';
import { messageInput } from '../../schema/message-body.ts';
import { assertContactNotBlocked } from './blocked.ts';
import { describeFiles } from './message-files.ts';
import { assertMessageNames, loadCarriers, loadFacts, resolveFormResults } from './message-facts.ts';
import type { Posting, PostingContext, PreparedPost } from './posting-context.ts';

export async function prepareMessages(
  inputs: MessageInput[],
  conversation: string,
  context: PostingContext,
): Promise<PreparedPost> {
  const place = await findConversationRef(context.principal.reach, conversation);
  if (!place) throw notFound('The conversation');
  const posting = { ...context, place };
  const [messages] = await Promise.all([
    draftMessages(inputs, posting),
    assertContactNotBlocked(place.contact, context),
  ]);
  const post = { caller: buildCaller(posting), messages };
  const send = async () => ({
    conversation: place.id,
    drafts: post.messages,
    ...(await sendWithPayloads(post, posting)),
  });
  return { place, post, send };
}

const checkMessage = bodyCheck(messageInput, 'whole');

/** Codes of errors that make a click's payload post no messages. */
const INVALID_CODES: readonly ErrorCode[] = ['invalid_request', 'unprocessable', 'forbidden', 'conflict'];

/**
 * Posts the messages. After each click, posts the messages of the click's payload as the contact,
 * if the payload is valid (spec 6.9). Returns the results of `messages` only.
 */
async function sendWithPayloads({ caller, messages }: Post, posting: Posting): Promise<PostOutcome> {
  const send = (all: MessageDraft[]) =>
    posting.deps.conversations.post(posting.place.id, { caller, messages: all });
  const own = new Set(messages);
  const all: MessageDraft[] = [];
  // Sequential: a retry must mint the same ids.
  for (const draft of messages) {
    all.push(draft, ...((await nullIfInvalid(() => draftPayload(draft, posting))) ?? []));
  }
  const outcome = all.length > own.size ? await nullIfInvalid(() => send(all)) : null;
  if (!outcome) return send(messages);
  return { ...outcome, posted: outcome.posted.filter((_, at) => own.has(all[at] as MessageDraft)) };
}

async function draftPayload(draft: MessageDraft, posting: Posting): Promise<MessageDraft[]> {
  if (draft.type !== 'postback' || draft.role !== 'contact') return [];
  const messages = payloadMessages(draft.text);
  if (!messages) return [];
  const { principal, place } = posting;
  const isTrusted = includesScope(principal.scope, 'agent');
  // A guest's payload is posted only if a message offered it.
  if (!isTrusted && !(await isOffered(place.id, draft.text))) return [];
  const inputs = messages.map((message) => toContactInput(checkMessage(message) as MessageInput, draft));
  return draftMessages(
    inputs,
    isTrusted ? posting : { ...posting, principal: { ...principal, scope: 'agent' } },
  );
}

function toContactInput(
  { user: _, externalId: __, ...input }: MessageInput,
  { touchpoint, delay, sendAt }: MessageDraft,
): MessageInput {
  return {
    touchpoint,
    ...(input.delay == null && input.sendAt == null && definedFields({ delay, sendAt })),
    ...input,
    ...(SPOKEN_TYPES.includes(input.type ?? 'chat') && { role: 'contact' }),
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

export async function draftMessages(inputs: MessageInput[], posting: Posting): Promise<MessageDraft[]> {
  const { principal, ids, receivedAt, deps } = posting;
  const { user, scope, isContact } = principal;
  await assertCommitSize(inputs, posting);
  const drafts = inputs.map((input, at) =>
    withinMessage(at, inputs.length, () => {
      assertKnownCodes(input, deps);
      const draft = draftMessage(input, {
        id: ids.newId(),
        slug: ids.newSlug(),
        caller: { user, scope },
        now: receivedAt,
        serviceProviders: deps.config.serviceProviders,
      });
      return isContact ? withoutUser(draft) : draft;
    }),
  );
  const facts = await Promise.all(
    drafts.map(async (draft, at) => {
      const [loaded, carriers] = await Promise.all([
        loadFacts(draft, posting),
        loadCarriers(draft, posting, inputs[at]?.touchpoint != null),
        assertMessageNames(draft, posting),
      ]);
      return { ...loaded, ...definedFields({ carriers }) };
    }),
  );
  const resolved = await describeFiles(await resolveFormResults(drafts, posting), posting);
  return resolved.map((draft, at) => ({ ...draft, facts: facts[at] ?? {} }));
}

function withoutUser({ user: _, ...draft }: MessageDraft): MessageDraft {
  return draft;
}

/** Throws DomainError `unprocessable` for too many deliveries or too large events (spec 7.1). */
async function assertCommitSize(
  inputs: MessageInput[],
  { place, principal: { reach }, deps }: Posting,
): Promise<void> {
  if (inputs.length <= 1) return;
  const services = await findOrganizationSubscribers(place.organization);
  assertFewDeliveries(inputs.length, services);
  const types = inputs.map(({ type }) => type ?? 'chat');
  if (!mayRepeatMuch(types, services)) return;
  const found = await findConversation(reach, place.id);
  if (!found) return;
  const { publicUrl } = deps.config;
  assertSmallEvents(types, jsonBytes(await presentConversation(found, { reach, publicUrl })));
}

export function buildCaller({ principal, origin }: Pick<Posting, 'principal' | 'origin'>): Post['caller'] {
  const { user, role, trace } = principal;
  return { user, role, origin, ...definedFields({ trace }) };
}

/** Checks the codes that operators configure (spec 1.4). */
function assertKnownCodes({ touchpoint, serviceType }: MessageInput, { config }: Posting['deps']): void {
  const touchpoints = messageTouchpoints(config.touchpointCodes);
  if (touchpoint != null && !touchpoints.includes(touchpoint)) {
    throw invalidRequest('touchpoint', `must be one of ${touchpoints.join(', ')}`);
  }
  const serviceTypes = [...new Set(['api', 'webhook', ...CHANNEL_TYPES, ...config.serviceProviders])];
  if (serviceType != null && !serviceTypes.includes(serviceType)) {
    throw invalidRequest('serviceType', `must be one of ${serviceTypes.join(', ')}`);
  }
}
