import Type from 'typebox';
import { DomainError, notFound } from '../../../domain/errors.ts';
import type { MessageView } from '../../../domain/events/view.ts';
import { presentMessage } from '../../../application/presenters/presenters.ts';
import { findConversationRef } from '../../../store/conversations/find-conversations.ts';
import { findMessagesByWords, listMessages as findPage } from '../../../store/conversations/find-messages.ts';
import { inSlices } from '../../../store/queries/slices.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
import type { Listing } from '../../listing/listing.ts';
import { parseSearch, searchQuery } from '../../listing/search.ts';
import { idOf } from '../../../schema/kinds.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { messagePaths } from './schema.ts';

const MESSAGES = { name: 'messages', paths: messagePaths } as const;

/** A list needs one of these filters (spec 6.3). */
const REQUIRED = ['id', 'organization', 'conversation', 'type', 'role', 'createdAt'];

export async function listMessages(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const listing = parseListing(request, MESSAGES);
  if (!listing.query.conditions.some(({ path }) => REQUIRED.includes(path))) {
    throw new DomainError(
      'invalid_request',
      `A list of messages needs at least one of the parameters ${REQUIRED.join(', ')}.`,
    );
  }
  return buildMessageList(request, api, { ...listing, path: '/messages' });
}

export const messageSearchQuery = searchQuery('the text, the items and the results', {
  conversation: Type.Optional(idOf('conversations', 'Only messages of this conversation.')),
});

/** GET /messages/search?q= (spec 6.12) */
export async function searchMessages(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const paths = new Map([...messagePaths].filter(([path]) => path === 'conversation'));
  const { terms, ...listing } = parseSearch(request, { name: 'messages', paths });
  return buildMessageList(request, api, {
    ...listing,
    path: '/messages/search',
    // As for a search for conversations.
    unique: [],
    find: (reach, query) => findMessagesByWords(reach, terms, query),
  });
}

export function listMessagesIn(request: ApiRequest, api: Api): Promise<HandlerResult> {
  return listConversationMessages(request, api, { name: 'messages' });
}

/** `name` is the last step of the path. */
interface MessageSublist {
  name: string;
  show?: ((messages: MessageView[]) => Promise<MessageView[]>) | undefined;
}

export async function listConversationMessages(
  request: ApiRequest,
  api: Api,
  { name, show }: MessageSublist,
): Promise<HandlerResult> {
  const place = await findConversationRef(request.principal.reach, request.id);
  if (!place) throw notFound('The conversation');
  const { query, shape } = parseListing(request, MESSAGES);
  query.conditions.push({ path: 'conversation', is: 'one of', values: [place.id] });
  if (query.sort.length === 0) query.sort.push({ path: 'sequence', descending: false });
  return buildMessageList(request, api, { query, shape, path: `/conversations/${place.id}/${name}`, show });
}

interface MessageList extends Listing, Pick<MessageSublist, 'show'> {
  path: string;
  find?: typeof findPage;
  unique?: readonly string[];
}

function buildMessageList(
  request: ApiRequest,
  api: Api,
  { query, shape, path, show, find = findPage, unique = uniqueFields(query) }: MessageList,
): Promise<HandlerResult> {
  return buildPageResult(request, api, {
    query,
    shape,
    path,
    unique,
    async find(asked) {
      const page = await find(request.principal.reach, asked);
      const { publicUrl } = api.config;
      const messages = await inSlices(page.records, (message) => presentMessage(message, publicUrl));
      return { page, bodies: show ? await show(messages) : messages };
    },
  });
}

function uniqueFields({ conditions }: Listing['query']): readonly string[] {
  const isOneConversation = conditions.some(
    (condition) =>
      condition.path === 'conversation' && condition.is === 'one of' && condition.values.length === 1,
  );
  return isOneConversation ? ['id', 'sequence'] : ['id'];
}
