import type { TSchema } from 'typebox';

/** JSON Schema, as far as bodies are described in it. */
interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
  anyOf?: Shape[];
}

/**
 * The part of a parsed JSON value that its schema knows: unknown fields are left out, and null where a field may be absent
 * (contract 2). Free-form objects are kept whole. The given value is not changed.
 */
export function knownPart(schema: TSchema, value: unknown): unknown {
  return pick(schema, value);
}

/** The same of the body of a PATCH, whose own fields keep their null: there it clears, or is refused. */
export function knownPatch(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as Shape;
  if (jsonType(value) !== 'object' || !properties) return value;
  const given = value as Record<string, unknown>;
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map(([name, shape]) => [name, pick(shape, given[name])]));
}

function pick(shape: Shape, value: unknown): unknown {
  if (shape.anyOf) {
    const fitting = shape.anyOf.find((one) => one.type === jsonType(value));
    return fitting ? pick(fitting, value) : value;
  }
  const { items, properties, required = [] } = shape;
  if (Array.isArray(value)) return items ? value.map((item) => pick(items, item)) : value;
  if (jsonType(value) !== 'object' || !properties) return value;
  const given = value as Record<string, unknown>;
  const known = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(given, name))
    .filter(([name]) => given[name] !== null || required.includes(name));
  return Object.fromEntries(known.map(([name, inner]) => [name, pick(inner, given[name])]));
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
