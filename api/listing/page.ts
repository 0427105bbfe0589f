import type { ListQuery, Page } from '../../store/queries/listing.ts';
import { MAX_OFFSET } from '../../domain/query/list-query.ts';
import { parseParameters } from '../../domain/query/pairs.ts';

interface ListedPage {
  /** Absolute, without a query. */
  url: string;
  querystring: string;
  query: ListQuery;
}

/** The paging headers of spec 9.7 for a page of which so many records are shown. */
export function buildPagingHeaders(
  page: Page<unknown>,
  shown: number,
  listed: ListedPage,
): Record<string, string> {
  const { limit, offset } = listed.query;
  const link = buildLinkHeader(page.total, listed);
  return {
    'X-Total': String(page.total),
    'X-Total-Pages': String(Math.ceil(page.total / limit)),
    'X-Per-Page': String(limit),
    'X-Page': String(page.total === 0 ? 1 : Math.floor(offset / limit) + 1),
    'X-Range': shown === 0 ? '*' : `${offset}-${offset + shown - 1}`,
    ...(link === '' ? {} : { Link: link }),
  };
}

// First and prev are absent on the first page, next and last on the last one; none points past the
// largest offset.
function buildLinkHeader(total: number, { url, querystring, query }: ListedPage): string {
  const { limit, offset } = query;
  const lastOffset = Math.max(0, Math.floor((total - 1) / limit) * limit);
  const links: [string, number][] = [];
  if (offset > 0) links.push(['first', 0], ['prev', Math.max(0, offset - limit)]);
  if (offset + limit < total) links.push(['next', offset + limit], ['last', lastOffset]);
  return links
    .filter(([, target]) => target <= MAX_OFFSET)
    .map(([rel, target]) => `<${url}?${withOffset(querystring, target)}>; rel="${rel}"`)
    .join(', ');
}

function withOffset(querystring: string, offset: number): string {
  const parameters = parseParameters(querystring);
  parameters.set('offset', String(offset));
  return [...parameters].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}
