import type { TSchema } from 'typebox';

/** JSON Schema, as far as bodies are described in it. */
interface PartSchema {
  type?: string;
  properties?: Record<string, PartSchema>;
  required?: readonly string[];
  items?: PartSchema;
  maxItems?: number;
  anyOf?: PartSchema[];
}

/**
 * The part of a parsed JSON value that its schema knows: unknown fields are left out, and null
 * where a field may be absent (spec 2.2). Free-form objects are kept whole, and so is a list that
 * is longer than its schema admits: it is refused for that, before anybody looks at what is in it.
 * The given value is not changed.
 */
export function pickKnown(schema: TSchema, value: unknown): unknown {
  return pick(schema, value);
}

/**
 * The same of the body of a PATCH, whose own fields keep their null: there it clears, or is
 * refused.
 */
export function pickKnownPatch(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as PartSchema;
  if (jsonType(value) !== 'object' || !properties) return value;
  return pickFields(properties, value as Record<string, unknown>, () => true);
}

function pick(shape: PartSchema, value: unknown): unknown {
  if (shape.anyOf) {
    const fitting = shape.anyOf.find((one) => one.type === jsonType(value));
    return fitting ? pick(fitting, value) : value;
  }
  if (Array.isArray(value)) return pickItems(shape, value);
  const { properties, required = [] } = shape;
  if (jsonType(value) !== 'object' || !properties) return value;
  return pickFields(properties, value as Record<string, unknown>, (name) => required.includes(name));
}

function pickItems({ items, maxItems = Infinity }: PartSchema, list: unknown[]): unknown[] {
  return items && list.length <= maxItems ? list.map((item) => pick(items, item)) : list;
}

function pickFields(
  properties: Record<string, PartSchema>,
  given: Record<string, unknown>,
  keepsNull: (name: string) => boolean,
): Record<string, unknown> {
  const part: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(properties)) {
    if (!Object.hasOwn(given, name) || (given[name] === null && !keepsNull(name))) continue;
    part[name] = pick(shape, given[name]);
  }
  return part;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
