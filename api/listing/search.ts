import Type from 'typebox';
import type { TProperties } from 'typebox';
import { invalidRequest } from '../../domain/errors.ts';
import { parseParameters } from '../../domain/query/query-string.ts';
import { searchTerms } from '../../domain/query/search-terms.ts';
import type { SearchTerm } from '../../domain/query/search-terms.ts';
import { about } from '../../schema/kinds.ts';
import type { ApiRequest } from '../request.ts';
import { parseListing } from './listing.ts';
import type { Listing } from './listing.ts';

const MAX_CHARACTERS = 256;
const MAX_WORDS = 10;

/** `of`: the searched texts. `filters`: parameters beside `q`. */
export function searchQuery(of: string, filters: TProperties = {}) {
  return Type.Object({
    q: about(
      Type.String({ minLength: 1, maxLength: MAX_CHARACTERS }),
      `Words, or beginnings of words, in ${of}. A telephone number may have any form.`,
      'ada',
    ),
    ...filters,
  });
}

/** Returns the terms of `q` with the filters and the shape of a search. */
export function parseSearch(
  request: ApiRequest,
  { name, paths }: Pick<Parameters<typeof parseListing>[1], 'name' | 'paths'>,
): Listing & { terms: SearchTerm[] } {
  const terms = parseSearchTerms(request);
  const listing = parseListing(request, { name, paths, besides: ['q'] });
  if (listing.query.sort.length > 0) throw invalidRequest('sort', 'is not possible in a search');
  return { ...listing, terms };
}

/** Throws `invalid_request` if `q` has no word or too many words. */
function parseSearchTerms({ querystring }: Pick<ApiRequest, 'querystring'>): SearchTerm[] {
  const q = parseParameters(querystring).get('q');
  if (q === undefined) throw invalidRequest('q', 'is required');
  if (Array.from(q).length > MAX_CHARACTERS) {
    throw invalidRequest('q', `has ${MAX_CHARACTERS} characters at most`);
  }
  const terms = searchTerms(q);
  if (terms.length === 0) throw invalidRequest('q', 'needs a word to search for');
  if (terms.length > MAX_WORDS) throw invalidRequest('q', `takes ${MAX_WORDS} words at most`);
  return terms;
}
