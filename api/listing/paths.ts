import type { TSchema } from 'typebox';

/** How the values of a field are written in a query. */
export type Kind = 'text' | 'number' | 'boolean' | 'time' | 'anything' | readonly string[];

/** The fields of a record that queries may name, by dotted path; `meta.*` stands for any key below `meta`. */
export type Paths = ReadonlyMap<string, Kind>;

interface Shape {
  type?: string;
  format?: string;
  enum?: readonly string[];
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
}

/** The paths of the schema that a resource is shown by, but for fields that are `derived` when it is read and so cannot be asked for. */
export function pathsOf(schema: TSchema, derived: readonly string[] = []): Paths {
  const paths = new Map<string, Kind>();
  collect(schema, '', paths);
  for (const field of derived) paths.delete(field);
  return paths;
}

/** The kind of the field at a path that a caller names, if there is one. */
export function kindAt(paths: Paths, path: string): Kind | undefined {
  const known = paths.get(path);
  if (known) return known;
  const steps = path.split('.');
  for (let length = steps.length - 1; length > 0; length--) {
    const open = paths.get([...steps.slice(0, length), '*'].join('.'));
    if (open && steps.slice(length).every((step) => step !== '' && !step.startsWith('$'))) return open;
  }
  return undefined;
}

function collect(shape: Shape, path: string, paths: Map<string, Kind>): void {
  if (path !== '') paths.set(path, kindOf(shape));
  const inner = shape.type === 'array' ? shape.items : shape;
  for (const [name, property] of Object.entries(inner?.properties ?? {})) {
    collect(property, path === '' ? name : `${path}.${name}`, paths);
  }
  if (inner?.patternProperties) paths.set(`${path}.*`, 'anything');
}

function kindOf({ type, format, enum: values, items }: Shape): Kind {
  if (values) return values;
  if (format === 'date-time') return 'time';
  switch (type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return items ? kindOf(items) : 'anything';
    case 'string':
      return 'text';
    default:
      return 'anything';
  }
}
