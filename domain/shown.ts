/**
 * A stored record as the API shows it: `_id` is `id`, times are ISO 8601, what is absent is left
 * out. A field that is not named is never shown, so that a new one of the store stays the product's
 * own until somebody decides otherwise.
 */
export function presentRecord<T extends { _id: string }>(
  record: T,
  fields: readonly (keyof T & string)[],
): Record<string, unknown> {
  const body: Record<string, unknown> = { id: record._id };
  for (const name of fields) {
    const value: unknown = record[name];
    if (value === undefined || value === null) continue;
    body[name] = value instanceof Date ? value.toISOString() : value;
  }
  return body;
}

/** The same for records with `settings`: an object without keys where nobody set any (spec 4.3). */
export function presentWithSettings<T extends { _id: string; settings?: object }>(
  record: T,
  fields: readonly (keyof T & string)[],
): Record<string, unknown> {
  return { settings: {}, ...presentRecord(record, fields) };
}
