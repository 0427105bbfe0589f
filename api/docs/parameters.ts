import { DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET } from '../../domain/query/list-query.ts';
import type { Field, Paths } from '../../domain/query/paths.ts';
import type { Kind } from '../../domain/query/tree.ts';

/** A parameter object of OpenAPI, or a reference to one. */
type Parameter = Record<string, unknown>;

/** How a value of each kind is written in a query (spec 9.3). */
const KIND_WORDS: Record<Extract<Kind, string>, string> = {
  id: 'an id',
  text: 'text',
  number: 'a number',
  boolean: '`true` or `false`',
  time: 'an ISO 8601 time',
  anything: 'a text or number',
  object: 'an object',
};

/** Parameters that several operations have, as components. */
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

/** References to components of `PARAMETERS`. */
export function reference(name: string): Parameter {
  return { $ref: `#/components/parameters/${name}` };
}

/** A variable part of a path. */
export function pathParameter(name: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: name === 'id' ? 'The id of the record.' : `The ${name}.`,
    schema: { type: 'string', minLength: 1 },
    example: '65f2a1c09b1d8e4f7a3c5d21',
  };
}

/** What a list takes: paging, order, and a filter for every field (spec 9.1). */
export function listParameters(paths: Paths): Parameter[] {
  return [
    reference('limit'),
    reference('offset'),
    ...(paths.size > 0 ? [reference('sort')] : []),
    reference('select'),
    reference('populate'),
    ...[...paths].map(([path, field]) => filterParameter(path, field)),
  ];
}

function filterParameter(path: string, { kind }: Field): Parameter {
  const name = path.replace(/\.\*$/, '.key');
  const words = typeof kind === 'string' ? KIND_WORDS[kind] : `one of ${kind.join(', ')}`;
  return query(name, `Filters by \`${name}\` (${words}); takes the operators of filters.`, {
    type: 'string',
  });
}

function query(name: string, description: string, schema: object, example?: unknown): Parameter {
  return { name, in: 'query', description, schema, ...(example === undefined ? {} : { example }) };
}
