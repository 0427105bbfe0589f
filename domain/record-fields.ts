/** Null means absent (spec 2). */
export type NullableFields<T> = { [K in keyof T]?: T[K] | null | undefined };

/** Undefined means absent. */
export type OptionalFields<T> = { [K in keyof T]?: T[K] | undefined };

export function definedFields<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
export function pick<T extends object, K extends keyof T>(record: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (record[field] !== undefined) picked[field] = record[field];
  return picked as Pick<T, K>;
}
