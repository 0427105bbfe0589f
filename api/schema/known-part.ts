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

function pick(shape: Shape, value: unknown): unknown {
  if (shape.anyOf) {
    const fitting = shape.anyOf.find((one) => one.type === jsonType(value));
    return fitting ? pick(fitting, value) : value;
  }
  if (Array.isArray(value)) return shape.items ? value.map((item) => pick(shape.items ?? {}, item)) : value;
  if (typeof value !== 'object' || value === null || !shape.properties) return value;
  return pickProperties(shape.properties, shape.required ?? [], value);
}

function pickProperties(
  properties: Record<string, Shape>,
  required: readonly string[],
  value: object,
): Record<string, unknown> {
  const entries = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, shape]) => ({ name, shape, given: (value as Record<string, unknown>)[name] }))
    .filter(({ name, shape, given }) => given !== null || required.includes(name) || admitsNull(shape));
  return Object.fromEntries(entries.map(({ name, shape, given }) => [name, pick(shape, given)]));
}

function admitsNull(shape: Shape): boolean {
  return shape.anyOf?.some(({ type }) => type === 'null') ?? false;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
