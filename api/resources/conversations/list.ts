import { DomainError } from '../../../domain/errors.ts';
import { translateDerived } from '../../../domain/query/derived.ts';
import { conversationUrl } from '../../../domain/events/view.ts';
import { listConversations as findPage } from '../../../store/conversations/find-conversations.ts';
import type { ListQuery } from '../../../store/queries/listing.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
import { includesField } from '../../listing/shape.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { presentConversations } from './present.ts';
import { conversationPaths } from './schema.ts';

/** A query on a meta variable has to be narrowed by one of these (spec 9.8). */
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

/** GET /conversations. */
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

/** The url is not stored: it follows from the slug. */
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
