import { draftMessage } from '../../domain/draft.ts';
import type { MessageInput } from '../../domain/draft.ts';
import type { MessageDraft } from '../../domain/message.ts';
import type { Post, Posted } from '../../domain/post.ts';
import { invalidRequest, withinPath } from '../../domain/refusal.ts';
import { messageView } from '../../domain/view.ts';
import type { MessageView } from '../../domain/view.ts';
import { findMessages } from '../../store/find-messages.ts';
import type { Api, ApiRequest } from '../request.ts';
import { factsOf } from './facts.ts';
import type { Posting } from './facts.ts';
import { presentMessage } from './present.ts';

type Asking = Pick<ApiRequest, 'principal' | 'mint' | 'receivedAt'>;

/**
 * The messages of a request, with every default and all that the rules will ask about them. Throws DomainError for the first that is wrong, saying
 * which.
 */
export async function draftMessages(
  inputs: MessageInput[],
  { request, posting, api }: { request: Asking; posting: Posting; api: Api },
): Promise<MessageDraft[]> {
  const { principal, mint, receivedAt } = request;
  const { serviceProviders } = api.config;
  const caller = { user: principal.user, scope: principal.scope };
  const drafts = inputs.map((input, at) =>
    within(inputs, at, () => {
      refuseUnknownCodes(input, api);
      const names = { id: mint.id(), slug: mint.slug() };
      return draftMessage(input, { ...names, caller, now: receivedAt, serviceProviders });
    }),
  );
  const facts = await Promise.all(drafts.map((draft) => factsOf(draft, posting)));
  return drafts.map((draft, at) => ({ ...draft, facts: facts[at] ?? {} }));
}

/** Who posts, as the rules see him. */
export function callerOf({ principal, origin }: Posting): Post['caller'] {
  return { user: principal.user, role: principal.role, origin };
}

/** The messages as they are answered: what was posted now from the drafts, what was known before from the store. */
export async function presentPosted(
  posted: Posted[],
  { drafts, posting, publicUrl }: { drafts: MessageDraft[]; posting: Posting; publicUrl: string },
): Promise<MessageView[]> {
  const known = await findMessages(posted.filter((one) => one.known).map(({ id }) => id));
  const stored = new Map(known.map((document) => [document._id, presentMessage(document, publicUrl)]));
  return posted.map((one, at) => {
    const { facts: _, ...draft } = drafts[at] as MessageDraft;
    const { sequence, processedAt } = one;
    const place = sequence === undefined ? {} : { sequence, ...(processedAt ? { processedAt } : {}) };
    return stored.get(one.id) ?? messageView({ ...draft, id: one.id, ...place }, posting.place, publicUrl);
  });
}

function within<T>(inputs: MessageInput[], at: number, work: () => T): T {
  return inputs.length > 1 ? withinPath(`messages.${at}`, work) : work();
}

/** The codes in brackets of spec 2.6 are named by configuration (contract 1). */
function refuseUnknownCodes({ touchpoint, serviceType }: MessageInput, { config }: Api): void {
  const { socialMessenger, chatApp } = config.touchpointCodes;
  const touchpoints = ['web', 'email', 'sms', socialMessenger, chatApp];
  if (touchpoint != null && !touchpoints.includes(touchpoint)) {
    throw invalidRequest('touchpoint', `must be one of ${touchpoints.join(', ')}`);
  }
  const serviceTypes = ['api', 'webhook', ...config.serviceProviders];
  if (serviceType != null && !serviceTypes.includes(serviceType)) {
    throw invalidRequest('serviceType', `must be one of ${serviceTypes.join(', ')}`);
  }
}
