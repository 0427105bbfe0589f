import { notFound } from '../../domain/refusal.ts';
import { DomainError } from '../../domain/errors.ts';
import { findPlace } from '../../store/find-conversations.ts';
import { listMessages as findMessages } from '../../store/find-messages.ts';
import type { ListQuery } from '../../store/listing.ts';
import { pageAnswer } from '../listing/page.ts';
import { parseListQuery } from '../listing/parse.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { presentMessage } from '../../posting/present-message.ts';
import { messagePaths } from './schema.ts';

/** One of these has to narrow a list of messages (spec 4.3). */
const REQUIRED = ['id', 'organization', 'conversation', 'type', 'role', 'createdAt'];

/** GET /messages. */
export async function listMessages(request: ApiRequest, api: Api): Promise<Answer> {
  const query = parseListQuery(request.querystring, messagePaths);
  if (!query.conditions.some(({ path }) => REQUIRED.includes(path))) {
    throw new DomainError(
      'invalid_request',
      `A list of messages needs at least one of the parameters ${REQUIRED.join(', ')}.`,
    );
  }
  return answer(request, api, { query, path: '/messages' });
}

/** GET /conversations/{id}/messages: those of one conversation, in order unless the request says another. */
export async function listMessagesIn(request: ApiRequest, api: Api): Promise<Answer> {
  const place = await findPlace(request.principal.reach, request.params['id'] ?? '');
  if (!place) throw notFound('The conversation');
  const query = parseListQuery(request.querystring, messagePaths);
  query.conditions.push({ path: 'conversation', is: 'one of', values: [place.id] });
  if (query.sort.length === 0) query.sort.push({ path: 'sequence', descending: false });
  return answer(request, api, { query, path: `/conversations/${place.id}/messages` });
}

async function answer(
  { principal, querystring }: ApiRequest,
  { config }: Api,
  { query, path }: { query: ListQuery; path: string },
): Promise<Answer> {
  const page = await findMessages(principal.reach, query);
  const bodies = page.records.map((message) => presentMessage(message, config.publicUrl));
  return pageAnswer(page, bodies, { url: `${config.publicUrl}/v2${path}`, querystring, query });
}
