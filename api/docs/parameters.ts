import type { TSchema } from 'typebox';
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET } from '../../domain/query/list-query.ts';
import type { Field, Paths } from '../../domain/query/paths.ts';
import type { ValueKind } from '../../domain/query/tree.ts';
import { resourceRow } from '../../domain/resources.ts';
import type { ResourceName } from '../../domain/resources.ts';
import { EXAMPLE_IDS } from '../../schema/kinds.ts';
import { MAX_NAMED } from '../../schema/ignored-fields.ts';

const ANY_OF = '`!=v`, `[a,b]`, `![a,b]`, empty (present), `!` (absent)';
const COMPARED = '`>v`, `>=v`, `<v`, `<=v`, `>=v1,<=v2` (between)';

type Parameter = Record<string, unknown>;

const KINDS: Record<Extract<ValueKind, string>, { words: string; operators: string; example: string }> = {
  id: { words: 'an id', operators: ANY_OF, example: EXAMPLE_IDS.users },
  text: { words: 'text', operators: `${ANY_OF}, \`~pattern\`, \`>v\`, \`<v\``, example: 'Ada' },
  number: { words: 'a number', operators: `${ANY_OF}, ${COMPARED}`, example: '>=0' },
  boolean: { words: '`true` or `false`', operators: ANY_OF, example: 'true' },
  time: { words: 'an ISO 8601 time', operators: `${ANY_OF}, ${COMPARED}`, example: '>2026-01-01' },
  anything: { words: 'a text or number', operators: `${ANY_OF}, ${COMPARED}`, example: 'website' },
  object: { words: 'an object', operators: 'empty (present), `!` (absent)', example: '!' },
};

export const PARAMETERS: Record<string, Parameter> = {
  limit: query(
    'limit',
    'Records on the page.',
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    20,
  ),
  offset: query(
    'offset',
    'Records before the page.',
    { type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0 },
    0,
  ),
  sort: query(
    'sort',
    'Up to four fields, separated by commas; `-` before a field turns its order round. `id` is always the last key.',
    { type: 'string' },
    '-createdAt',
  ),
  select: query(
    'select',
    'Fields to answer with, separated by commas, or, each with `-` before it, to leave out. `id` is always there.',
    { type: 'string' },
    'createdAt',
  ),
  populate: query(
    'populate',
    'Fields whose ids become records, separated by commas; `field:a|b` picks fields of those records.',
    { type: 'string' },
    'createdBy',
  ),
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Tags of the record as its `GET` (without `select` and `populate`), its `PATCH` or its creation answered them, or `*`: the change is made only while one of them is true, else 412. Of several such changes at the same time one is made.',
    schema: { type: 'string' },
    example: '"5f3c9a1e7b2d4c6f8091a2b3c4d5e6f7"',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Tags of what the caller has already, or `*`: where one still holds, the answer is 304.',
    schema: { type: 'string' },
    example: '"5f3c9a1e7b2d4c6f8091a2b3c4d5e6f7"',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours the same key by the same caller gives the first answer again and does nothing; with another body it is 422.',
    schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
    example: '5b0c2a8e-order-1',
  },
};

export function reference(name: string): Parameter {
  return { $ref: `#/components/parameters/${name}` };
}

const PATH_WORDS: Record<string, { description: string; example: string }> = {
  name: { description: 'The name of an event type.', example: 'order.created' },
  key: { description: 'The id of the API key.', example: EXAMPLE_IDS.apikeys },
};

export function pathParameter(name: string, path: string): Parameter {
  const resource = path.split('/')[1] as ResourceName;
  const words = PATH_WORDS[name] ?? {
    description: `The id of the ${resourceRow(resource).noun}.`,
    example: EXAMPLE_IDS[resource],
  };
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, ...words };
}

export function listParameters(
  paths: Paths,
  { item, populate }: { item: TSchema | undefined; populate: object },
): object[] {
  return [
    reference('limit'),
    reference('offset'),
    ...(paths.size > 0 ? [reference('sort')] : []),
    reference('select'),
    populate,
    ...[...paths].map(([path, field]) => filterParameter(path, field, item)),
  ];
}

function filterParameter(path: string, { kind }: Field, item: TSchema | undefined): Parameter {
  const name = path.replace(/\.\*$/, '.key');
  const { words, operators, example } =
    typeof kind === 'string'
      ? KINDS[kind]
      : { words: `one of ${kind.join(', ')}`, operators: ANY_OF, example: kind[0] };
  const own = kind === 'id' || kind === 'text' ? findExampleAt(item, path) : undefined;
  const description = `Filters by \`${name}\` (${words}). Operators: ${operators}.`;
  return query(name, description, { type: 'string' }, own ?? example);
}

interface ParameterSchema {
  properties?: Record<string, ParameterSchema>;
  items?: ParameterSchema;
  examples?: unknown[];
}

function findExampleAt(item: TSchema | undefined, path: string): string | undefined {
  let shape: ParameterSchema | undefined = item;
  for (const step of path.split('.')) shape = (shape?.items ?? shape)?.properties?.[step];
  const [example] = [shape?.examples?.[0]].flat();
  // An example with an operator would need escaping.
  return typeof example === 'string' && /^\w/.test(example) ? example : undefined;
}

function query(name: string, description: string, schema: object, example: unknown): Parameter {
  return { name, in: 'query', description, schema, example };
}

/** `required`: present in every response that lists the header. */
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

export function buildHeaderRefs(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...ALWAYS, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function header(description: string, schema: object, required?: true) {
  return { description, schema, required };
}
