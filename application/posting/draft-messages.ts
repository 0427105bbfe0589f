import {
  assertFewDeliveries,
  assertSmallEvents,
  mayRepeatMuch,
} from '../../domain/delivery/delivery-bounds.ts';
import { jsonBytes } from '../../domain/free-form.ts';
import { draftMessage } from '../../domain/messages/draft.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { messageTouchpoints } from '../../domain/conversations/touchpoint.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import type { Post } from '../../domain/messages/post.ts';
import { invalidRequest, withinMessage } from '../../domain/refusal.ts';
import { presentConversation } from '../presenters/conversation.ts';
import { findConversation } from '../../store/conversations/find-conversations.ts';
import { findOrganizationSubscribers } from '../../store/delivery/services.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';
import { loadFacts } from './facts.ts';
import type { Posting } from './facts.ts';
import { resolveFormResults } from './form-results.ts';

/**
 * The messages of a request, with every default and all that the rules will ask about them. Throws
 * DomainError for the first that is wrong, saying which.
 */
export async function draftMessages(
  inputs: MessageInput[],
  { request, posting, deps }: { request: PostingContext; posting: Posting; deps: PostingDeps },
): Promise<MessageDraft[]> {
  const { principal, ids, receivedAt } = request;
  const { serviceProviders } = deps.config;
  await assertCommitSize(inputs, { posting, deps });
  const caller = { user: principal.user, scope: principal.scope };
  const drafts = inputs.map((input, at) =>
    withinMessage(at, inputs.length, () => {
      assertKnownCodes(input, deps);
      const names = { id: ids.newId(), slug: ids.newSlug() };
      const draft = draftMessage(input, { ...names, caller, now: receivedAt, serviceProviders });
      return principal.isContact ? withoutUser(draft) : draft;
    }),
  );
  const facts = await Promise.all(drafts.map((draft) => loadFacts(draft, posting)));
  const held = await resolveFormResults(drafts, posting);
  return held.map((draft, at) => ({ ...draft, facts: facts[at] ?? {} }));
}

function withoutUser({ user: _, ...draft }: MessageDraft): MessageDraft {
  return draft;
}

/** Throws DomainError `unprocessable` for too many or too large deliveries (spec 7.1). */
async function assertCommitSize(
  inputs: MessageInput[],
  { posting: { place, principal }, deps }: { posting: Posting; deps: PostingDeps },
): Promise<void> {
  if (inputs.length <= 1) return;
  const services = await findOrganizationSubscribers(place.organization);
  assertFewDeliveries(inputs.length, services);
  const types = inputs.map(({ type }) => type ?? 'chat');
  if (!mayRepeatMuch(types, services)) return;
  const { reach } = principal;
  const found = await findConversation(reach, place.id);
  if (!found) return;
  const { publicUrl } = deps.config;
  assertSmallEvents(types, jsonBytes(await presentConversation(found, { reach, publicUrl })));
}

/** Who posts, as the rules see them. */
export function buildCaller({ principal, origin }: Posting): Post['caller'] {
  const { user, role, trace } = principal;
  return { user, role, origin, ...(trace === undefined ? {} : { trace }) };
}

/** The codes in brackets of spec 6.1 are named by configuration (spec 1.4). */
function assertKnownCodes({ touchpoint, serviceType }: MessageInput, { config }: PostingDeps): void {
  const touchpoints = messageTouchpoints(config.touchpointCodes);
  if (touchpoint != null && !touchpoints.includes(touchpoint)) {
    throw invalidRequest('touchpoint', `must be one of ${touchpoints.join(', ')}`);
  }
  const serviceTypes = ['api', 'webhook', ...config.serviceProviders];
  if (serviceType != null && !serviceTypes.includes(serviceType)) {
    throw invalidRequest('serviceType', `must be one of ${serviceTypes.join(', ')}`);
  }
}
