import type { TSchema } from 'typebox';
import { ERROR_CODES } from '../../domain/errors.ts';
import { recordRows } from '../pipeline/record-rows.ts';
import type { Route } from '../route.ts';

/** The body of every refusal (spec 2.4). */
export const ERROR_SCHEMA = {
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

/** What several operations answer with has a name, and is described once. */
export interface NamedSchemas {
  /** The schema itself, or a reference where it has a name. */
  refer: (schema: TSchema) => object;
  /** Whether a route answers with a single record. */
  showsRecord: (row: Pick<Route, 'answer'>) => boolean;
  /** The schemas that have names. */
  components: Record<string, object>;
}

/** Names the records: what `GET /users/:id` answers with is a `User`. */
export function nameSchemas(routes: readonly Route[]): NamedSchemas {
  const names = new Map<unknown, string>();
  for (const { method, path, answer } of routes) {
    const [, resource] = /^\/(\w+)\/:id$/.exec(path) ?? [];
    if (method === 'GET' && resource !== undefined && answer) names.set(answer, singular(resource));
  }
  const refer = (schema: TSchema): object => {
    const name = names.get(schema);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    const { anyOf, items } = schema as { anyOf?: TSchema[]; items?: TSchema };
    if (anyOf) return { ...plain(schema), anyOf: anyOf.map(refer) };
    return items ? { ...plain(schema), items: refer(items) } : plain(schema);
  };
  const components = [...names].map(([schema, name]) => [name, plain(schema as TSchema)] as const);
  return { refer, showsRecord: recordRows(routes), components: Object.fromEntries(components) };
}

// The format `id` is our own; everybody understands a pattern.
function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'format' in value && value.format === 'id'
      ? { type: 'string', pattern: '^[0-9a-f]{24}$' }
      : value,
  ) as object;
}

function singular(resource: string): string {
  const name = resource === 'deliveries' ? 'delivery' : resource.replace(/s$/, '');
  return name.charAt(0).toUpperCase() + name.slice(1);
}
