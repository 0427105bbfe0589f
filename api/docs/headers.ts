import { MAX_LIMIT } from '../../domain/query/list-query.ts';
import { MAX_NAMED } from '../../application/schema/ignored-fields.ts';

/** Headers of answers, as components: those with `required` are always there. */
export const HEADERS = {
  'X-Request-Id': header(
    'Names the request in the log.',
    { type: 'string', pattern: '^[!-~]{1,128}$' },
    true,
  ),
  'RateLimit-Limit': header('Requests per second that are served.', { type: 'integer', minimum: 1 }),
  'RateLimit-Remaining': header('Requests left in this second.', { type: 'integer', minimum: 0 }),
  'RateLimit-Reset': header('Seconds until they are counted anew.', { type: 'integer', minimum: 1 }),
  'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 0 }, true),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string' }, true),
  Location: header('Where the record is.', { type: 'string', format: 'uri' }),
  'Idempotent-Replayed': header('`true`: the first answer to this Idempotency-Key.', {
    type: 'string',
    const: 'true',
  }),
  'Cache-Control': header(
    '`no-store` for what shows a secret; anything else a browser may keep, and asks each time whether it still holds.',
    { type: 'string' },
    true,
  ),
  ETag: header(
    'A strong tag of the record as it is shown here: another one as soon as anything of it changes, and for each `select`, `populate` and compression.',
    { type: 'string', pattern: '^"[!#-~]+"$' },
  ),
  'X-Ignored-Fields': header(
    `Fields of the body that were ignored, because nobody knows them or the service sets them itself: up to ${MAX_NAMED} dotted paths. Members of lists count from 0; what a header cannot hold is percent-encoded.`,
    { type: 'string' },
  ),
  'X-Hint': header(
    'What is worth knowing though nothing was refused: a field that was probably mistyped, a command that nobody knows.',
    { type: 'string' },
  ),
  'X-Total': header('Records in all.', { type: 'integer', minimum: 0 }, true),
  'X-Total-Pages': header('Pages in all.', { type: 'integer', minimum: 0 }, true),
  'X-Per-Page': header('The limit.', { type: 'integer', minimum: 1, maximum: MAX_LIMIT }, true),
  'X-Page': header('The page, from 1.', { type: 'integer', minimum: 1 }, true),
  'X-Range': header(
    'First and last index on the page; `*` when it is empty.',
    { type: 'string', pattern: '^(\\*|\\d+-\\d+)$' },
    true,
  ),
  Link: header('Pages by relation: first, prev, next, last.', { type: 'string' }),
};

export type HeaderName = keyof typeof HEADERS;

export const PAGING: readonly HeaderName[] = [
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Range',
  'Link',
];
const ALWAYS: readonly HeaderName[] = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** The headers of an answer, as references to the components. */
export function buildHeaderRefs(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...ALWAYS, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function header(description: string, schema: object, required = false) {
  return { description, schema, ...(required ? { required } : {}) };
}
