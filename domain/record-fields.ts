/** Fields that a caller may leave out. Null means absent (spec 2). */
export type NullableFields<T> = { [K in keyof T]?: T[K] | null };

/** Returns the fields with a value; null means absent (spec 2). */
export function definedFields<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
export function pick<T extends object, K extends keyof T>(record: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (record[field] !== undefined) picked[field] = record[field];
  return picked as Pick<T, K>;
}

/**
 * Returns a record as the API shows it. Only named fields are shown, so new fields stay internal.
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

/** Presents a record. Absent `settings` become an empty object (spec 4.3). */
export function presentWithSettings<T extends { _id: string; settings?: object }>(
  record: T,
  fields: readonly (keyof T & string)[],
): Record<string, unknown> {
  return { settings: {}, ...presentRecord(record, fields) };
}
