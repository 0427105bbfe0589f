/** The fields that have a value: null and undefined both mean absent (spec 2). */
export function definedFields<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
/** The named fields of a record that are there, in the order in which they are named. */
export function pick<T extends object, K extends keyof T>(record: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (record[field] !== undefined) picked[field] = record[field];
  return picked as Pick<T, K>;
}
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
