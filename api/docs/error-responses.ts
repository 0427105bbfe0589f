import { ERROR_CODES } from '../../domain/errors.ts';
import { EXAMPLE_IDS } from '../../schema/kinds.ts';
import { getErrorCodes } from '../errors.ts';
import type { Route } from '../route.ts';
import { buildHeaderRefs } from './parameters.ts';
import type { HeaderName } from './parameters.ts';

const REFUSAL = {
  message: {
    type: 'string',
    description: 'The problem and its remedy, for people.',
    examples: ['text: is required'],
  },
};

const REFUSAL_SCHEMA = {
  type: 'object',
  description: 'The error of a refused request.',
  required: ['message', 'code', 'error'],
  properties: {
    ...REFUSAL,
    code: {
      type: 'string',
      enum: ERROR_CODES,
      description: 'The error code, from a closed list.',
      examples: ['invalid_request'],
    },
    error: {
      type: 'object',
      description: 'The message again, in the form that many clients read.',
      required: ['message'],
      properties: REFUSAL,
    },
    conflict: {
      type: 'object',
      description: 'The record that has the unique value, if visible to the caller. Only in a 409.',
      required: ['resource', 'id'],
      properties: {
        resource: { type: 'string', description: 'The resource, as in paths.', examples: ['contacts'] },
        id: { type: 'string', description: 'The id of the record.', examples: [EXAMPLE_IDS.contacts] },
      },
    },
    details: {
      type: 'array',
      description: 'The problems in the body or query, by field.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'The dotted path of the field.',
            examples: ['messages.0.text'],
          },
          message: { type: 'string', description: 'The problem of the field.', examples: ['is required'] },
        },
      },
    },
  },
};

/** See spec 2.4. */
const ERROR_RESPONSES: Record<
  number,
  { name: string; description: string; headers?: readonly HeaderName[] }
> = {
  400: {
    name: 'Invalid',
    description: 'A parameter or field is missing, malformed or of the wrong type.',
    headers: ['X-Ignored-Fields'],
  },
  401: {
    name: 'Unauthenticated',
    description: 'The token is missing or invalid.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The scope is too low, the token has expired, or the organization is not yours.',
  },
  404: { name: 'NotFound', description: 'The record does not exist, or is not visible to you.' },
  409: { name: 'Conflict', description: 'A value that must be unique is taken.' },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed: no tag in `If-Match` is current. Nothing was done.',
  },
  413: { name: 'TooLarge', description: 'The body exceeds 1 MiB, or a file 16 MiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body has an unsupported type, or is compressed.' },
  422: {
    name: 'Unprocessable',
    description:
      'Every field is valid by itself, but the combination or the stored data rules the request out.',
    headers: ['X-Ignored-Fields'],
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests, failed logins, messages of a bot, or events in progress.',
    headers: ['Retry-After'],
  },
  500: { name: 'Internal', description: 'An unexpected error.' },
  503: {
    name: 'Unavailable',
    description: 'A server that Parlance needs does not respond. Try again.',
    headers: ['Retry-After'],
  },
};

export function buildErrorResponses(): Record<string, object> {
  const entries = Object.entries(ERROR_RESPONSES).map(([status, { name, description, headers = [] }]) => {
    const message = 'The problem in words.';
    const example = { message, code: getErrorCodes(Number(status))[0], error: { message } };
    const schema = { $ref: `#/components/schemas/${name}Refusal` };
    const content = { 'application/json': { schema, example } };
    return [name, { description, headers: buildHeaderRefs(headers), content }] as const;
  });
  return Object.fromEntries(entries);
}

/** Builds no schema named `Error`: code generators use that name themselves. */
export function buildErrorSchemas(): Record<string, object> {
  const own = Object.entries(ERROR_RESPONSES).map(([status, { name, description }]): [string, object] => [
    `${name}Refusal`,
    {
      description,
      allOf: [
        { $ref: '#/components/schemas/Refusal' },
        { properties: { code: { ...CODE, enum: getErrorCodes(Number(status)) } } },
      ],
    },
  ]);
  return { Refusal: REFUSAL_SCHEMA, ...Object.fromEntries(own) };
}

const CODE = { type: 'string', description: 'The error code.' };

export function takesIfMatch({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  return ['PATCH', 'DELETE'].includes(method) || path === '/eventtypes/:id/jsonata';
}

export function buildErrorRefs(row: Route): Record<string, { $ref: string }> {
  const statuses = [
    ...[400, 401, 403],
    ...(row.path.includes(':') || row.body || row.query ? [404] : []),
    ...(takesIfMatch(row) ? [412] : []),
    ...(row.body || row.takesFile ? [413, 415] : []),
    // A pull is refused by the state of its service, like a change.
    ...(row.method === 'GET' && !row.own ? [] : [409, 422]),
    ...[429, 500, 503],
  ];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { $ref: `#/components/responses/${ERROR_RESPONSES[status]?.name ?? ''}` },
    ]),
  );
}
