import { parseId } from '../../../domain/id.ts';
import { conversationLinks } from '../../../domain/conversations/links.ts';
import { invalidRequest, notFound } from '../../../domain/refusal.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { parseParameters, assertNoParameters } from '../../../domain/query/pairs.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

/**
 * GET /links?conversation=: the addresses at which a conversation can be gone on with (spec 5.11).
 */
export function getLinks(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { conversation, ...others } = Object.fromEntries(parseParameters(request.querystring));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidRequest(unknown, 'is not a parameter of this path');
  if (!conversation) throw invalidRequest('conversation', 'is required');
  return buildLinksResult(parseId(conversation, 'conversation'), request, api);
}

/** GET /conversations/{id}/links: the same. */
export function getConversationLinks(request: ApiRequest, api: Api): Promise<HandlerResult> {
  assertNoParameters(request.querystring);
  return buildLinksResult(request.id, request, api);
}

async function buildLinksResult(
  id: string,
  { principal }: ApiRequest,
  { config }: Api,
): Promise<HandlerResult> {
  const found = await findConversation(principal.reach, id);
  if (!found) throw notFound('The conversation');
  const context = await organizationContext(found.organization);
  const { socialMessenger, chatApp } = config.touchpointCodes;
  const given = Object.entries(context?.links ?? {}).filter(([code]) =>
    [socialMessenger, chatApp].includes(code),
  );
  const { publicUrl } = config;
  return {
    status: 200,
    body: conversationLinks(found.slug, { publicUrl, links: Object.fromEntries(given) }),
  };
}
