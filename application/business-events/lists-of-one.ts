import type { TSchema } from 'typebox';

/** Commands whose arguments are lists in `meta` (spec 6.5). */
const LISTED_ARGUMENTS: Record<string, string> = { '/assign': 'users', '/notify': 'channels' };

/**
 * The value with a list wherever the schema has one: JSONata makes a list with one member the
 * member itself. Changes nothing else, also where the value does not fit the schema.
 */
export function withLists(value: unknown, schema: TSchema): unknown {
  if (value === undefined || value === null) return value;
  const { items, properties } = schema as { items?: TSchema; properties?: Record<string, TSchema> };
  if (items) {
    const members: unknown[] = Array.isArray(value) ? value : [value];
    return members.map((member) => withLists(member, items));
  }
  if (!properties || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, member]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, field ? withLists(member, field) : (member as unknown)];
  });
  return withListedArguments(Object.fromEntries(fields) as Record<string, unknown>);
}

function withListedArguments(fields: Record<string, unknown>): Record<string, unknown> {
  const { type, text, meta } = fields;
  const name = type === 'command' && typeof text === 'string' ? LISTED_ARGUMENTS[text.trim()] : undefined;
  if (name === undefined || typeof meta !== 'object' || meta === null || !(name in meta)) return fields;
  const argument = (meta as Record<string, unknown>)[name];
  return typeof argument === 'string' ? { ...fields, meta: { ...meta, [name]: [argument] } } : fields;
}
