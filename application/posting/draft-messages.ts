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
import { invalidRequest, withinMessage, unprocessable } from '../../domain/errors.ts';
import { presentConversation } from '../presenters/presenters.ts';
import { findConversation, findTopics } from '../../store/conversations/find-conversations.ts';
import { findOrganizationSubscribers } from '../../store/delivery/services.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';
import { loadFacts } from './facts.ts';
import type { Posting } from './facts.ts';
import { resolveResults } from '../../domain/messages/results.ts';
import type { CompletableForm } from '../../domain/messages/results.ts';
import type { ConversationForm } from '../../domain/conversations/conversation.ts';
import { includesScope } from '../../domain/scope.ts';
import { findFormFacts, findSomeForms } from '../../store/records/forms.ts';
import type { FormFacts } from '../../store/records/forms.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { decidePost } from '../../domain/conversations/decide.ts';

/** Adds defaults and facts. Throws DomainError with the path of the first invalid message. */
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

/** Throws DomainError `unprocessable` for too many or large deliveries (spec 7.1). */
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

export function buildCaller({ principal, origin }: Posting): Post['caller'] {
  const { user, role, trace } = principal;
  return { user, role, origin, ...(trace === undefined ? {} : { trace }) };
}

/** Checks the configurable codes (spec 1.4), in brackets in spec 6.1. */
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

const MAX_FORMS = 100;
const MAX_OFFERED = 10;

/**
 * Matches results with forms (spec 6.8) of the organization, its ancestors, its categories and the
 * conversation, current and as opened. Throws DomainError `unprocessable` with the path.
 */
async function resolveFormResults(drafts: MessageDraft[], posting: Posting): Promise<MessageDraft[]> {
  const ids = [...new Set(drafts.flatMap(({ results }) => results?.map(({ form }) => form) ?? []))];
  if (ids.length === 0) return drafts;
  if (ids.length > MAX_FORMS)
    throw unprocessable(`A request completes at most ${MAX_FORMS} different forms.`);
  const { place } = posting;
  const [context, { forms: open }] = await Promise.all([
    organizationContext(place.organization),
    findTopics(place.id),
  ]);
  const listed = [
    ...(context?.categories.flatMap(({ forms }) => forms) ?? []),
    ...open.map(({ form }) => form),
  ];
  const found = await findFormFacts({ path: context?.path ?? [place.organization], listed }, ids);
  const forms = mergeCompletableForms(found, open);
  const offered = ids.every((id) => forms.has(id)) ? [] : await listOfferedForms(open, posting);
  return drafts.map((draft, at) => {
    const { results } = draft;
    if (!results) return draft;
    const resolve = () => resolveResults(results, { forms, offered });
    return { ...draft, results: withinMessage(at, drafts.length, resolve) };
  });
}

/** Accepts the current form and the form at the time of its opening. */
function mergeCompletableForms(
  found: readonly FormFacts[],
  open: readonly ConversationForm[],
): Map<string, CompletableForm> {
  const forms = new Map<string, CompletableForm>();
  for (const { _id, name, type, fields } of found) {
    forms.set(_id, { names: [name], types: [type], keys: fields.map(({ key }) => key) });
  }
  for (const { form, name, type, values } of open) {
    const now = forms.get(form) ?? { names: [], types: [], keys: [] };
    forms.set(form, {
      names: [...new Set([...now.names, name])],
      types: [...new Set([...now.types, type])],
      keys: now.keys.length === 0 ? [] : [...new Set([...now.keys, ...Object.keys(values)])],
    });
  }
  return forms;
}

/** Returns open forms only for callers who may not list forms. */
async function listOfferedForms(
  open: readonly ConversationForm[],
  { principal, place }: Posting,
): Promise<string[]> {
  const own = includesScope(principal.scope, 'bot')
    ? await findSomeForms(place.organization, MAX_OFFERED)
    : [];
  const named = [
    ...open.map(({ form, name }) => ({ id: form, name })),
    ...own.map(({ _id, name }) => ({ id: _id, name })),
  ];
  const unique = new Map(named.map(({ id, name }) => [id, `"${name}" (${id})`]));
  return [...unique.values()].slice(0, MAX_OFFERED);
}

/** Throws what a new conversation would refuse, before anything is stored. */
export function dryRun(post: Post, now: string): void {
  decidePost(null, post, { now, findKnown: () => undefined });
}
