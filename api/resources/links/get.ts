import { parseId } from '../../../domain/id.ts';
import { conversationLinks } from '../../../domain/events/view.ts';
import { invalidRequest, notFound } from '../../../domain/errors.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { parseParameters, assertNoParameters } from '../../../domain/query/query-string.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import Type from 'typebox';
import { EXAMPLE_IDS, about, named } from '../../../schema/kinds.ts';

const Uri = Type.String({ format: 'uri' });

/** See spec 5.11. */
export const linksSchema = named(
  'Links',
  Type.Object(
    { web: about(Uri, "The contact's chat page.", 'https://example.com/c/Zm9vYmFyYmF6cXV4') },
    {
      description: 'The addresses that continue the conversation, by touchpoint code.',
      additionalProperties: about(
        Uri,
        'The address on another touchpoint.',
        'https://wa.example.com/?text=Zm9vYmFyYmF6cXV4',
      ),
    },
  ),
);

export const linksQuery = Type.Object({
  conversation: about(Type.String(), 'The id of the conversation.', EXAMPLE_IDS.conversations),
});

export function getLinks(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { conversation, ...others } = Object.fromEntries(parseParameters(request.querystring));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidRequest(unknown, 'is not a parameter of this path');
  if (!conversation) throw invalidRequest('conversation', 'is required');
  return buildLinksResult(parseId(conversation, 'conversation'), request, api);
}

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
