import { DomainError } from '../../domain/errors.ts';
import { listConversations as findConversations } from '../../store/find-conversations.ts';
import type { ListQuery } from '../../store/listing.ts';
import { pageAnswer } from '../listing/page.ts';
import { parseListQuery } from '../listing/parse.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { presentConversations } from './present.ts';
import { conversationPaths } from './schema.ts';

/** A query on a meta variable has to be narrowed by one of these (spec 4.2). */
const BESIDE_META = [
  ...['id', 'type', 'participants.user', 'status', 'createdAt'],
  ...['categoryIndex', 'category', 'organization', 'updatedAt'],
];

/** GET /conversations. */
export async function listConversations(
  { principal, querystring }: ApiRequest,
  { config }: Api,
): Promise<Answer> {
  const query = parseListQuery(querystring, conversationPaths);
  refuseMetaAlone(query);
  const page = await findConversations(principal.reach, query);
  const bodies = await presentConversations(page.records, config.publicUrl);
  return pageAnswer(page, bodies, { url: `${config.publicUrl}/v2/conversations`, querystring, query });
}

function refuseMetaAlone({ conditions }: ListQuery): void {
  const onMeta = conditions.some(({ path }) => path === 'meta' || path.startsWith('meta.'));
  if (!onMeta || conditions.some(({ path }) => BESIDE_META.includes(path))) return;
  throw new DomainError(
    'invalid_request',
    `A query on meta needs at least one of the parameters ${BESIDE_META.join(', ')} as well.`,
  );
}
