import type { TSchema } from 'typebox';
import type { Paths } from '../../domain/query/paths.ts';
import type { ValueKind } from '../../domain/query/tree.ts';

export type { Paths };

interface PathSchema {
  type?: string;
  format?: string;
  enum?: readonly string[];
  properties?: Record<string, PathSchema>;
  patternProperties?: Record<string, PathSchema>;
  items?: PathSchema;
}

type PathTable = Map<string, { kind: ValueKind; list: boolean }>;

const pathsBySchema = new WeakMap<object, Paths>();

export function findPaths(schema: TSchema): Paths | undefined {
  return pathsBySchema.get(schema);
}

export function buildPaths(schema: TSchema, hidden: readonly string[] = []): Paths {
  const paths = new Map(collectFields(schema));
  for (const field of hidden) paths.delete(field);
  pathsBySchema.set(schema, paths);
  return paths;
}

export function collectFields(schema: TSchema): Paths {
  const paths: PathTable = new Map();
  collectPaths(schema, '', paths);
  return paths;
}

function collectPaths(shape: PathSchema, path: string, paths: PathTable): void {
  const list = shape.type === 'array';
  const value = list ? (shape.items ?? {}) : shape;
  if (path !== '') paths.set(path, { kind: getFieldKind(value), list });
  for (const [name, property] of Object.entries(value.properties ?? {})) {
    collectPaths(property, path === '' ? name : `${path}.${name}`, paths);
  }
  if (value.patternProperties) paths.set(`${path}.*`, { kind: 'anything', list: false });
}

function getFieldKind({ type, format, enum: values }: PathSchema): ValueKind {
  if (values) return values;
  if (format === 'date-time') return 'time';
  if (format === 'id') return 'id';
  switch (type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return 'object';
    case 'string':
      return 'text';
    default:
      return 'anything';
  }
}
