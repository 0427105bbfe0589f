import Type from 'typebox';
import { about } from '../../../application/schema/kinds.ts';
import { parseParameters } from '../../../domain/query/pairs.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { searchTerms } from '../../../domain/query/search-terms.ts';
import type { SearchTerm } from '../../../domain/query/search-terms.ts';
import { findConversations } from '../../../store/conversations/find-conversations.ts';
import { findByWords } from '../../../store/conversations/search-words.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
import { includesField } from '../../listing/shape.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { presentConversations } from './present.ts';

const MAX_CHARACTERS = 256;
const MAX_WORDS = 10;

export const searchQuery = Type.Object({
  q: about(
    Type.String({ minLength: 1, maxLength: MAX_CHARACTERS }),
    'Words, or beginnings of words, of the name, the forms and results, or the contact; a telephone number may be written in any form.',
    'ada',
  ),
});

/**
 * GET /conversations/search?q=: conversations whose name, forms, results or contact have, for each
 * word of `q`, a word that begins with it, whatever case and accents, and each telephone number of
 * `q` (spec 5.10). Takes `limit`, `offset`, `select` and `populate` as a list does.
 */
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
