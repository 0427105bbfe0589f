import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import { translateDerived } from '../../../domain/query/derived.ts';
import { conversationUrl } from '../../../domain/events/view.ts';
import {
  listConversations as findPage,
  findConversations,
} from '../../../store/conversations/find-conversations.ts';
import type { ListQuery } from '../../../store/queries/listing.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
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
import { parseParameters } from '../../../domain/query/query-string.ts';
import { searchTerms } from '../../../domain/query/search-terms.ts';
import type { SearchTerm } from '../../../domain/query/search-terms.ts';
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

export const timelineSchema = object('TimelineMessage', 'A message, with who wrote it.', {
  ...messageSchema.properties,
  author: Type.Optional(
    object('Author', 'Who wrote it, of a user.', {
      id: idOf('users', 'Their id.'),
      name: Type.Optional(
        about(
          Type.String(),
          'Their name; absent where they are not yours to see and have none.',
          'Ada Lovelace',
        ),
      ),
      role: Type.Optional(
        about(oneOf(USER_ROLES), 'Their role; absent where they are not yours to see.', 'agent'),
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

const MAX_CHARACTERS = 256;
const MAX_WORDS = 10;

export const searchQuery = Type.Object({
  q: about(
    Type.String({ minLength: 1, maxLength: MAX_CHARACTERS }),
    'Words, or beginnings of words, of the name, the forms and results, or the contact; a telephone number may be written in any form.',
    'ada',
  ),
});

/** GET /conversations/search?q= (spec 5.10) */
export async function searchConversations(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, querystring } = request;
  const terms = parseSearchTerms(parseParameters(querystring).get('q'));
  const listing = parseListing(request, { name: 'conversations', paths: new Map(), besides: ['q'] });
  return buildPageResult(request, api, {
    ...listing,
    path: '/conversations/search',
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

function parseSearchTerms(q: string | undefined): SearchTerm[] {
  if (q === undefined) throw invalidRequest('q', 'is required');
  if (Array.from(q).length > MAX_CHARACTERS) {
    throw invalidRequest('q', `has ${MAX_CHARACTERS} characters at most`);
  }
  const terms = searchTerms(q);
  if (terms.length === 0) throw invalidRequest('q', 'needs a word to search for');
  if (terms.length > MAX_WORDS) throw invalidRequest('q', `takes ${MAX_WORDS} words at most`);
  return terms;
}
