import { ERROR_CODES } from '../../domain/errors.ts';
import { getErrorCodes } from '../errors.ts';
import type { Route } from '../route.ts';
import { buildHeaderRefs } from './parameters.ts';
import type { HeaderName } from './parameters.ts';

const REFUSAL = {
  message: {
    type: 'string',
    description: 'What is wrong, and what to do, for people.',
    examples: ['text: is required'],
  },
};

const REFUSAL_SCHEMA = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['message', 'code', 'error'],
  properties: {
    ...REFUSAL,
    code: {
      type: 'string',
      enum: ERROR_CODES,
      description: 'The same for programs: from a closed list.',
      examples: ['invalid_request'],
    },
    error: {
      type: 'object',
      description: 'The message again, where many clients look for it.',
      required: ['message'],
      properties: REFUSAL,
    },
    details: {
      type: 'array',
      description: 'What is wrong at each place of the body or query.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'The place, dotted.', examples: ['messages.0.text'] },
          message: { type: 'string', description: 'What is wrong there.', examples: ['is required'] },
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
    description: 'No token, or one that is not valid.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The scope is too low, the token has expired, or the organization is not yours.',
  },
  404: { name: 'NotFound', description: 'There is no such thing, or it is not yours to see.' },
  409: { name: 'Conflict', description: 'A value that must be unique is taken.' },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed: `If-Match` names no tag that it has now. Nothing was done.',
  },
  413: { name: 'TooLarge', description: 'The body exceeds 1 MiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is of another type, or compressed.' },
  422: {
    name: 'Unprocessable',
    description:
      'Every field is valid by itself, but together, or against what is stored, they make no sense.',
    headers: ['X-Ignored-Fields'],
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests, failed logins, messages of a bot, or events under way.',
    headers: ['Retry-After'],
  },
  500: { name: 'Internal', description: 'An unexpected error.' },
  503: {
    name: 'Unavailable',
    description: 'Something the service needs does not answer; try again.',
    headers: ['Retry-After'],
  },
};

export function buildErrorResponses(): Record<string, object> {
  const entries = Object.entries(ERROR_RESPONSES).map(([status, { name, description, headers = [] }]) => {
    const message = 'What is wrong, in words.';
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

const CODE = { type: 'string', description: 'The same for programs.' };

export function takesIfMatch({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  return ['PATCH', 'DELETE'].includes(method) || path === '/eventtypes/:id/jsonata';
}

export function buildErrorRefs(row: Route): Record<string, { $ref: string }> {
  const statuses = [
    ...[400, 401, 403],
    ...(row.path.includes(':') || row.body || row.query ? [404] : []),
    ...(takesIfMatch(row) ? [412] : []),
    ...(row.body ? [413, 415] : []),
    ...(row.method === 'GET' ? [] : [409, 422]),
    ...[429, 500, 503],
  ];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { $ref: `#/components/responses/${ERROR_RESPONSES[status]?.name ?? ''}` },
    ]),
  );
}
