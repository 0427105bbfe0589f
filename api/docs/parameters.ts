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
    'Up to four fields, separated by commas. `-` before a field sorts in descending order. `id` is always the last key.',
    { type: 'string' },
    '-createdAt',
  ),
  select: query(
    'select',
    'Fields to return, separated by commas, or, each with `-` before it, to leave out. `id` is always returned.',
    { type: 'string' },
    'createdAt',
  ),
  populate: query(
    'populate',
    'Fields whose ids become records, separated by commas. `field:a|b` selects fields of the records.',
    { type: 'string' },
    'createdBy',
  ),
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Tags of the record from its `GET` (without `select` and `populate`), `PATCH` or creation, or `*`. The change is made only while one tag is current, else the response is 412. Only one of several such changes at the same time is made.',
    schema: { type: 'string' },
    example: '"5f3c9a1e7b2d4c6f8091a2b3c4d5e6f7"',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Tags of cached responses, or `*`. Returns 304 if one tag is current.',
    schema: { type: 'string' },
    example: '"5f3c9a1e7b2d4c6f8091a2b3c4d5e6f7"',
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `handling=strict`, ignored fields and unknown commands are refused (400) before the request has an effect.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours, the same key of the same caller returns the first response without effect. With another body: 422.',
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
  note: { description: 'The id of the note.', example: EXAMPLE_IDS.notes },
};

export function pathParameter(name: string, path: string): Parameter {
  const resource = path.split('/')[1] as ResourceName;
  const words = PATH_WORDS[name] ?? {
    description: `The id of the ${resourceRow(resource).noun}.`,
    // A webhook that is sent its events has none to pull.
    example: EXAMPLE_IDS[path.startsWith('/services/:id/events') ? 'pulled' : resource],
  };
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, ...words };
}

const FREE_FORM = /\.\*$/;

/**
 * Returns the fields with keys of any name, such as `meta`. No parameter can describe the filters
 * by their keys: generators would make `meta_key` of a parameter `meta.key`, and TypeScript's
 * clients send an object as `meta[key]`.
 */
export function freeFormFields(paths: Paths): string[] {
  return [...paths.keys()].flatMap((path) => (FREE_FORM.test(path) ? path.replace(FREE_FORM, '') : []));
}

export function describeFreeForm(fields: readonly string[]): string[] {
  const [first] = fields;
  if (first === undefined) return [];
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return [`Every key of ${names} is a filter too, written with a dot: \`${first}.key=value\`.`];
}

export function listParameters(
  paths: Paths,
  { item, populate }: { item: TSchema | undefined; populate: object },
): object[] {
  return [
    reference('limit'),
    reference('offset'),
    ...(paths.size > 0 ? [buildSortParameter(paths)] : []),
    reference('select'),
    populate,
    ...[...paths]
      .filter(([path]) => !FREE_FORM.test(path))
      .map(([path, field]) => filterParameter(path, field, item)),
  ];
}

function buildSortParameter(paths: Paths): object {
  // The shared example sorts by `createdAt`.
  return paths.has('createdAt')
    ? reference('sort')
    : { ...PARAMETERS['sort'], example: [...paths.keys()][0] };
}

function filterParameter(path: string, { kind }: Field, item: TSchema | undefined): Parameter {
  const { words, operators, example } =
    typeof kind === 'string'
      ? KINDS[kind]
      : { words: `one of ${kind.join(', ')}`, operators: ANY_OF, example: kind[0] };
  const own = kind === 'id' || kind === 'text' ? findExampleAt(item, path) : undefined;
  const description = `Filters by \`${path}\` (${words}). Operators: ${operators}.`;
  return query(path, description, { type: 'string' }, own ?? example);
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
    'The id of the request in the log.',
    { type: 'string', pattern: '^[!-~]{1,128}$' },
    true,
  ),
  'RateLimit-Limit': header('Requests allowed per second.', { type: 'integer', minimum: 1 }),
  'RateLimit-Remaining': header('Requests left in this second.', { type: 'integer', minimum: 0 }),
  'RateLimit-Reset': header('Seconds until the limit resets.', { type: 'integer', minimum: 1 }),
  'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 0 }, true),
  'WWW-Authenticate': header('The authentication scheme.', { type: 'string' }, true),
  Location: header('The address of the record.', { type: 'string', format: 'uri' }),
  'Idempotent-Replayed': header('`true` on a repeat of the first response.', {
    type: 'string',
    const: 'true',
  }),
  'Cache-Control': header(
    '`no-store` for responses with a secret. A browser may cache other responses, and revalidates them each time.',
    { type: 'string' },
    true,
  ),
  ETag: header(
    'A strong tag of the record as returned. It changes with the record, and differs for each `select`, `populate` and compression.',
    { type: 'string', pattern: '^"[!#-~]+"$' },
  ),
  'X-Ignored-Fields': header(
    `Fields of the body that were ignored, because they are unknown or set by the service: up to ${MAX_NAMED} dotted paths. Members of lists count from 0. Characters that a header cannot hold are percent-encoded.`,
    { type: 'string' },
  ),
  'X-Hint': header(
    'A hint on an accepted request: a field that was probably mistyped, or an unknown command.',
    { type: 'string' },
  ),
  'Preference-Applied': header('`handling=strict` if the request sent it.', { type: 'string' }),
  'X-Total': header('Records on all pages.', { type: 'integer', minimum: 0 }, true),
  'X-Total-Pages': header('The number of pages.', { type: 'integer', minimum: 0 }, true),
  'X-Per-Page': header('Records per page.', { type: 'integer', minimum: 1, maximum: MAX_LIMIT }, true),
  'X-Page': header('The page number, from 1.', { type: 'integer', minimum: 1 }, true),
  'X-Range': header(
    'First and last index on the page. `*` if the page is empty.',
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
