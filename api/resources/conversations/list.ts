import { DomainError } from '../../../domain/errors.ts';
import { translateDerived } from '../../../domain/query/derived.ts';
import { conversationUrl } from '../../../domain/events/view.ts';
import {
  listConversations as findPage,
  findConversations,
} from '../../../store/conversations/find-conversations.ts';
import type { ListQuery } from '../../../store/queries/listing.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
import { parseSearch } from '../../listing/search.ts';
import { includesField } from '../../listing/shape.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { presentConversations } from './present.ts';
import { conversationPaths } from './schema.ts';
import Type from 'typebox';
import { findAuthors } from '../../../store/accounts/authors.ts';
import { USER_ROLES } from '../../../domain/scope.ts';
import { Address, about, idOf, object, oneOf } from '../../../schema/kinds.ts';
import { listConversationMessages } from '../messages/list.ts';
import { messageSchema } from '../messages/schema.ts';
import { findByWords } from '../../../store/conversations/search-words.ts';

/** A list filtered by `meta` needs one of these filters, too (spec 9.8). */
const BESIDE_META = [
  'id',
  'type',
  'participants.user',
  'status',
  'createdAt',
  'categoryIndex',
  'category',
  'organization',
  'updatedAt',
];

export async function listConversations(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const listing = parseListing(request, { name: 'conversations', paths: conversationPaths });
  assertSelectiveMetaQuery(listing.query);
  const query = withSlugConditions(listing.query, api.config.publicUrl);
  return buildPageResult(request, api, {
    ...listing,
    query,
    path: '/conversations',
    async find(asked) {
      const { reach } = request.principal;
      const page = await findPage(reach, asked);
      const { publicUrl } = api.config;
      const withMessages = includesField(listing.shape, 'messages');
      return { page, bodies: await presentConversations(page.records, { reach, publicUrl, withMessages }) };
    },
  });
}

function withSlugConditions(query: ListQuery, publicUrl: string): ListQuery {
  const before = conversationUrl(publicUrl, '');
  return translateDerived(query, {
    path: 'url',
    stored: 'slug',
    toStored: (url) => (String(url).startsWith(before) ? String(url).slice(before.length) : undefined),
    alike: true,
  });
}

function assertSelectiveMetaQuery({ conditions }: ListQuery): void {
  const onMeta = conditions.some(({ path }) => path.split(',').some(isMeta));
  if (!onMeta || conditions.some(({ path }) => BESIDE_META.includes(path))) return;
  throw new DomainError(
    'invalid_request',
    `A query on meta needs at least one of the parameters ${BESIDE_META.join(', ')} as well.`,
  );
}

function isMeta(path: string): boolean {
  return path === 'meta' || path.startsWith('meta.');
}

export const timelineSchema = object('TimelineMessage', 'A message with its author.', {
  ...messageSchema.properties,
  author: Type.Optional(
    object('Author', 'The author, if a user.', {
      id: idOf('users', 'The id of the author.'),
      name: Type.Optional(
        about(
          Type.String(),
          'The name. Absent if the author is not visible to you and has no name.',
          'Ada Lovelace',
        ),
      ),
      role: Type.Optional(
        about(oneOf(USER_ROLES), 'The role. Absent if the author is not visible to you.', 'agent'),
      ),
      avatar: Type.Optional(about(Address, 'A picture.', 'https://example.com/ada.png')),
    }),
  ),
});

/** GET /conversations/{id}/timeline (spec 12.2). */
export function readTimeline(request: ApiRequest, api: Api): Promise<HandlerResult> {
  return listConversationMessages(request, api, {
    name: 'timeline',
    async show(messages) {
      const written = messages.filter(({ role }) => role !== 'contact');
      const authors = await findAuthors(request.principal.reach, [
        ...new Set(written.flatMap(({ user }) => user ?? [])),
      ]);
      return messages.map((message) => {
        const author = message.role === 'contact' ? undefined : authors.get(message.user ?? '');
        return author ? { ...message, author } : message;
      });
    },
  });
}

/** GET /conversations/search?q= (spec 5.10) */
export async function searchConversations(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal } = request;
  const { terms, ...listing } = parseSearch(request, { name: 'conversations', paths: new Map() });
  return buildPageResult(request, api, {
    ...listing,
    path: '/conversations/search',
    // A search takes no filter to read on with.
    unique: [],
    async find(query) {
      const page = await findByWords(principal.reach, terms, query);
      const ids = page.records.map(({ _id }) => _id);
      const found = new Map((await findConversations(principal.reach, ids)).map((one) => [one._id, one]));
      const bodies = await presentConversations(
        ids.flatMap((id) => found.get(id) ?? []),
        {
          reach: principal.reach,
          publicUrl: api.config.publicUrl,
          withMessages: includesField(listing.shape, 'messages'),
        },
      );
      return { page, bodies };
    },
  });
}
