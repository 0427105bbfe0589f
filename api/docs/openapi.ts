import type { TSchema } from 'typebox';
import { ERROR_CODES } from '../../domain/errors.ts';
import type { Route } from '../route.ts';

const ERROR_SCHEMA = {
  type: 'object',
  required: ['message', 'code', 'error'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string', enum: ERROR_CODES },
    error: {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string' } },
    },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/** The OpenAPI 3.1 document of a route table. */
export function openApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const row of routes) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parlance',
      version: '2',
      description: 'Conversations between contacts and the agents, bots and systems of organizations.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v2' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: ERROR_SCHEMA },
      responses: {
        Refusal: {
          description: 'The request was refused; `code` says why.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  };
}

function operation(row: Route): object {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replace(/[/:]+(\w)/g, (_, first: string) => first.toUpperCase())}`,
    summary: row.summary,
    description: row.scope === null ? 'Open to anybody.' : `Needs scope ${row.scope}.`,
    tags: [row.path.split('/')[1]],
    ...(row.scope === null ? { security: [] } : {}),
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(row.body ? { requestBody: { required: true, content: json(row.body) } } : {}),
    responses: {
      [row.method === 'DELETE' ? '204' : '2XX']: {
        description: 'Done.',
        ...(row.answer ? { content: json(row.answer) } : {}),
      },
      '4XX': { $ref: '#/components/responses/Refusal' },
      '5XX': { $ref: '#/components/responses/Refusal' },
    },
  };
}

function json(schema: TSchema): object {
  return { 'application/json': { schema } };
}
